import { a1, a2, a3, answers, b2, exact, ids, prefer } from './rows.ts'

const unsatisfiable = 'Requested range not satisfiable'

answers('ranges and counts', [
  {
    name: 'limit and offset, no count',
    request: { path: '/project?order=id&limit=2&offset=1&select=id' },
    expected: {
      status: 200,
      headers: {
        'Content-Range': '1-2/*',
        'Content-Location': '/rest/v1/project?limit=2&offset=1&order=id&select=id',
        Link: null,
      },
      json: ids(a2, a3),
    },
  },
  {
    name: 'a limited page names the next one',
    request: { path: '/project?select=id&limit=2' },
    expected: {
      status: 200,
      headers: {
        'Content-Range': '0-1/*',
        Link: /^<\/rest\/v1\/project\?(?=.*select=id)(?=.*limit=2)(?=.*offset=2).*>; rel="next"$/,
      },
      json: ids(a1, a2),
    },
  },
  {
    name: 'count=exact, everything fits',
    request: { path: '/project?select=id', headers: exact },
    expected: {
      status: 200,
      headers: { 'Content-Range': '0-2/3', 'Preference-Applied': 'count=exact', Link: null },
      json: ids(a1, a2, a3),
    },
  },
  {
    name: 'count=exact with a limit',
    request: { path: '/project?select=id&order=id&limit=2', headers: exact },
    expected: {
      status: 206,
      headers: { 'Content-Range': '0-1/3', 'Preference-Applied': 'count=exact' },
      json: ids(a1, a2),
    },
  },
  {
    name: 'count=exact with an offset',
    request: { path: '/project?select=id&order=id&limit=2&offset=2', headers: exact },
    expected: { status: 206, headers: { 'Content-Range': '2-2/3' }, json: ids(a3) },
  },
  {
    name: 'count=exact counts what the filter leaves',
    request: { path: '/project?select=id&project_name=neq.Beta&limit=1', headers: exact },
    expected: { status: 206, headers: { 'Content-Range': '0-0/2' }, json: ids(a1) },
  },
  {
    name: 'count=exact with a Range',
    request: { path: '/project?select=id&order=id', headers: { ...exact, 'Range-Unit': 'items', Range: '0-0' } },
    expected: { status: 206, headers: { 'Content-Range': '0-0/3', 'Range-Unit': null }, json: ids(a1) },
  },
  {
    name: 'count=planned is exact here',
    request: { path: '/project?select=id&limit=1', headers: prefer('count=planned') },
    expected: {
      status: 206,
      headers: { 'Content-Range': '0-0/3', 'Preference-Applied': 'count=planned' },
      json: ids(a1),
    },
  },
  {
    name: 'count=estimated is exact here',
    request: { path: '/project?select=id&limit=1', headers: prefer('count=estimated') },
    expected: {
      status: 206,
      headers: { 'Content-Range': '0-0/3', 'Preference-Applied': 'count=estimated' },
      json: ids(a1),
    },
  },
  {
    name: 'count=exact of nothing',
    request: { path: '/project?select=id&project_name=eq.none', headers: exact },
    expected: { status: 200, headers: { 'Content-Range': '*/0' }, json: [] },
  },
  {
    name: 'an offset past the end, count=exact',
    request: { path: '/project?select=id&offset=10', headers: exact },
    expected: {
      status: 416,
      headers: { 'Content-Range': '*/3' },
      code: 'PGRST103',
      message: unsatisfiable,
      details: 'An offset of 10 was requested, but there are only 3 rows.',
    },
  },
  {
    name: 'an offset at the end, count=exact',
    request: { path: '/project?select=id&offset=3', headers: exact },
    expected: { status: 206, headers: { 'Content-Range': '*/3', Link: null }, json: [] },
  },
  {
    name: 'an offset past the end, no count',
    request: { path: '/project?select=id&offset=10' },
    expected: { status: 200, headers: { 'Content-Range': '*/*' }, json: [] },
  },
  {
    name: 'a Range past the end, no count',
    request: { path: '/project?select=id', headers: { Range: '10-12' } },
    expected: { status: 200, headers: { 'Content-Range': '*/*' }, json: [] },
  },
  {
    name: 'a Range in reverse',
    request: { path: '/project?select=id', headers: { Range: '5-2' } },
    expected: {
      status: 416,
      code: 'PGRST103',
      message: unsatisfiable,
      details: 'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
    },
  },
  {
    name: 'an open Range',
    request: { path: '/project?select=id', headers: { Range: '1-' } },
    expected: { status: 200, headers: { 'Content-Range': '1-2/*' }, json: ids(a2, a3) },
  },
  {
    name: 'a Range in another spelling is ignored',
    request: { path: '/project?select=id', headers: { Range: 'items=0-0' } },
    expected: { status: 200, headers: { 'Content-Range': '0-2/*' }, json: ids(a1, a2, a3) },
  },
  {
    name: 'a Range and a limit are intersected',
    request: { path: '/project?select=id&limit=2', headers: { Range: '1-5' } },
    expected: { status: 200, headers: { 'Content-Range': '1-1/*' }, json: ids(a2) },
  },
  {
    name: 'HEAD ignores a Range',
    request: { method: 'HEAD', path: '/project?select=id', headers: { ...exact, Range: '0-0' } },
    expected: { status: 200, headers: { 'Content-Range': '0-2/3' }, text: '' },
  },
  {
    name: 'HEAD takes a limit',
    request: { method: 'HEAD', path: '/project?select=id&limit=1', headers: exact },
    expected: { status: 206, headers: { 'Content-Range': '0-0/3' }, text: '' },
  },
  {
    name: 'limit=0',
    request: { path: '/project?select=id&limit=0' },
    expected: { status: 200, headers: { 'Content-Range': '*/*' }, json: [] },
  },
  {
    name: 'limit=0 has no next page, which would be the same again for ever',
    request: { path: '/project?select=id&limit=0' },
    expected: { status: 200, headers: { Link: null }, json: [] },
  },
  {
    name: 'limit=0, count=exact',
    request: { path: '/project?select=id&limit=0', headers: exact },
    expected: { status: 206, headers: { 'Content-Range': '*/3', 'Preference-Applied': 'count=exact' }, json: [] },
  },
  {
    name: 'a negative limit',
    request: { path: '/project?select=id&limit=-1' },
    expected: {
      status: 416,
      code: 'PGRST103',
      message: unsatisfiable,
      details: 'Limit should be greater than or equal to zero.',
    },
  },
  {
    name: 'a negative offset is ignored',
    request: { path: '/project?select=id&offset=-1' },
    expected: { status: 200, headers: { 'Content-Range': '0-2/*' }, json: ids(a1, a2, a3) },
  },
  {
    name: 'an offset that is no number is ignored',
    request: { path: '/project?select=id&offset=abc' },
    expected: {
      status: 200,
      headers: { 'Content-Range': '0-2/*', 'Content-Location': '/rest/v1/project?offset=abc&select=id' },
      json: ids(a1, a2, a3),
    },
  },
  {
    name: 'a limit that is no number is ignored',
    request: { path: '/project?select=id&limit=all' },
    expected: { status: 200, headers: { 'Content-Range': '0-2/*' }, json: ids(a1, a2, a3) },
  },
  {
    name: 'the count holds to !inner',
    request: { path: '/bid?select=id,project!inner(id)&project.project_name=eq.Gamma', headers: exact },
    expected: { status: 200, headers: { 'Content-Range': '0-0/1' }, json: [{ id: b2, project: ids(a3) }] },
  },
  {
    name: 'the count is of the own company alone',
    by: 'rival',
    request: { path: '/project?select=id&limit=1', headers: exact },
    expected: { status: 206, headers: { 'Content-Range': '0-0/2' }, json: ids(a1) },
  },
])

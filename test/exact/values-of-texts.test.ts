import { a1, answers, b1, type Row, representation, uuid } from './rows.ts'

/** A JSON value for a name, as it is written in the body, and the name that it becomes. */
const taken = (value: string, project_name: string, at: number): Row => ({
  name: `${value} is taken as ${JSON.stringify(project_name)}`,
  request: {
    method: 'POST',
    path: '/project?select=project_name',
    headers: representation,
    body: `{"id": "${uuid(`${at + 10}`)}", "project_name" : ${value} , "bid_id": "${b1}"}`,
  },
  expected: { status: 201, json: [{ project_name }] },
})

const spellings: readonly (readonly [value: string, text: string])[] = [
  ['12', '12'],
  ['-1.50', '-1.50'],
  ['1.0', '1.0'],
  ['1e3', '1e3'],
  ['1E+3', '1E+3'],
  ['12345678901234567890.10', '12345678901234567890.10'],
  ['true', 'true'],
  ['false', 'false'],
  ['{"a": 1, "b":["x","}"]}', '{"a": 1, "b":["x","}"]}'],
  ['[ 1,"\\"" ]', '[ 1,"\\"" ]'],
  ['{}', '{}'],
]

answers('JSON values of text columns', [
  ...spellings.map(([value, text], at) => taken(value, text, at)),
  {
    name: 'each row of many has its own',
    request: {
      method: 'POST',
      path: '/project?select=project_name&columns=bid_id,project_name',
      headers: representation,
      body: `[{"bid_id":"${b1}","project_name":1.0,"x":{"project_name":2}},{"project_name":"two","bid_id":"${b1}"},
        {"project_name":0,"bid_id":"${b1}","project_n\\u0061me":[3.0]}]`,
    },
    expected: { status: 201, json: [{ project_name: '1.0' }, { project_name: 'two' }, { project_name: '[3.0]' }] },
  },
  {
    name: 'a row is changed by a number',
    request: {
      method: 'PATCH',
      path: `/project?id=eq.${a1}&select=project_name`,
      headers: representation,
      body: '{"project_name":7e1}',
    },
    expected: { status: 200, json: [{ project_name: '7e1' }] },
  },
  {
    name: 'null is no text',
    request: { method: 'PATCH', path: `/project?id=eq.${a1}`, body: { project_name: null } },
    expected: {
      status: 400,
      code: '23502',
      message: 'null value in column "project_name" of relation "project" violates not-null constraint',
    },
  },
  {
    name: 'a list that is too long a text is refused',
    request: {
      method: 'PATCH',
      path: `/project?id=eq.${a1}`,
      body: { project_name: Array.from({ length: 129 }, () => 1) },
    },
    expected: {
      status: 400,
      code: '23514',
      message: 'new row for relation "project" violates check constraint "project_project_name_check"',
    },
  },
  {
    name: 'an id is no number',
    request: { method: 'PATCH', path: `/project?id=eq.${a1}`, body: { bid_id: 12 } },
    expected: { status: 400, code: '22P02', message: 'invalid input syntax for type uuid: 12' },
  },
  {
    name: 'the other company has none of these names',
    by: 'rival',
    request: { path: '/project?select=project_name&project_name=in.(12,true,7e1)' },
    expected: { status: 200, json: [] },
  },
])

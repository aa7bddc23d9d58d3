import { a1, a2, a3, a9, answers, ids, type Row, type Seed, uuid } from './rows.ts'

const [a4, a5] = [uuid('a4'), uuid('a5')]
const more: Seed[] = [
  [a4, uuid('b2'), 'Gamma, "q" (100%)', '2026-01-06T00:00:00+00:00'],
  [a5, uuid('b2'), 'north Bridge\\deck_1', '2026-01-07T00:00:00+00:00'],
]

/** A filter, and the projects that it finds. */
const finds = (filter: string, ...found: readonly string[]): Row => ({
  name: filter,
  request: { path: `/project?${filter}&select=id` },
  expected: { status: 200, json: ids(...found) },
})

/** A filter that is refused. */
const refused = (filter: string, code: string, message: string | RegExp, details?: string | RegExp): Row => ({
  name: `${filter} is refused`,
  request: { path: `/project?${filter}&select=id` },
  expected: { status: 400, code, message, ...(details === undefined ? {} : { details }) },
})

const all = [a1, a2, a3, a4, a5]
const text = 'project_name'

answers(
  'filters',
  [
    // Comparisons
    finds(`id=eq.${a2}`, a2),
    finds(`id=eq.${a2.toUpperCase()}`, a2),
    finds(`id=eq.%7B${a2}%7D`, a2),
    finds(`id=neq.${a2}`, a1, a3, a4, a5),
    finds(`id=gt.${a3}`, a4, a5),
    finds(`id=gte.${a3}&id=lt.${a5}`, a3, a4),
    finds(`id=lte.${a1}`, a1),
    finds(`id=not.eq.${a2}`, a1, a3, a4, a5),
    finds(`${text}=eq.Gamma`, a3),
    finds(`${text}=eq."Gamma"`),
    finds(`${text}=eq.`),
    finds(`${text}=gt.Beta`, a3, a4, a5),
    finds('created_at=gte.2026-01-05', a3, a4, a5),
    finds('created_at=eq.2026-01-04T00:00:00Z', a2),
    finds('created_at=eq.2026-01-04T02:00:00%2B02:00', a2),
    finds('created_at=eq.2026-01-05 06:07:08.123456', a3),
    finds('created_at=lt.infinity', ...all),
    finds(`${text}=isdistinct.Alpha`, a2, a3, a4, a5),
    finds(`${text}=isdistinct.null`, ...all),
    // Lists
    finds(`id=in.(${a1},${a3})`, a1, a3),
    finds('id=in.()'),
    finds('id=not.in.()', ...all),
    finds(`${text}=in.(Alpha,"Gamma, \\"q\\" (100%25)")`, a1, a4),
    finds(`${text}=not.in.(Alpha,Beta)`, a3, a4, a5),
    finds(`${text}=eq(any).{Alpha,"Gamma, \\"q\\" (100%25)"}`, a1, a4),
    finds(`id=gt(all).{${a1},${a3}}`, a4, a5),
    finds(`id=gt(any).{${a5},${a3},${a4}}`, a4, a5),
    finds(`id=gte(any).{${a5},${a4}}`, a4, a5),
    finds(`id=gte(all).{${a2},${a4},${a3}}`, a4, a5),
    finds(`id=lt(any).{${a2},${a4},${a3}}`, a1, a2, a3),
    finds(`id=lt(all).{${a4},${a2},${a3}}`, a1),
    finds(`id=lte(any).{${a1},${a2}}`, a1, a2),
    finds(`id=lte(all).{${a3},${a2}}`, a1, a2),
    finds(`id=not.gt(any).{${a3},${a5}}`, a1, a2, a3),
    finds(`${text}=eq(all).{Beta,Beta}`, a2),
    finds(`${text}=eq(all).{Beta,Alpha,Beta}`),
    finds(`${text}=not.eq(all).{Beta,Alpha}`, ...all),
    // By code point: U+FF5E comes before U+1F600, although its UTF-16 is greater.
    finds(`${text}=lt(all).{\uff5e,H}`, a1, a2, a3, a4),
    finds(`${text}=gt(any).{\u{1f600},\uff5e}`),
    finds(`created_at=gte(all).{2026-01-04,-infinity,2026-01-05}`, a3, a4, a5),
    finds(`created_at=lt(any).{2026-01-05,infinity}`, ...all),
    ...['gt(any)', 'lt(any)', 'eq(any)', 'like(any)', 'not.gt(all)', 'not.eq(all)'].map((one) =>
      finds(`${text}=${one}.{}`),
    ),
    ...['gt(all)', 'lt(all)', 'eq(all)', 'like(all)', 'not.gt(any)'].map((one) => finds(`${text}=${one}.{}`, ...all)),
    finds(`${text}=lt(any).{Beta,"a\\\\b"}`, a1, a2, a3, a4),
    // Nulls
    finds('bid_id=is.null'),
    finds('bid_id=not.is.null', ...all),
    finds('bid_id=is.not_null', ...all),
    finds('bid_id=is.NULL'),
    // Patterns
    finds(`${text}=like.*a`, a1, a2, a3),
    finds(`${text}=like.%25mm%25`, a3, a4),
    finds(`${text}=like.gamma*`),
    finds(`${text}=ilike.gamma*`, a3, a4),
    finds(`${text}=like._eta`, a2),
    finds(`${text}=like.*(100\\%25)`, a4),
    finds(`${text}=like.*deck\\_1`, a5),
    finds(`${text}=not.like.G*`, a1, a2, a5),
    finds(`${text}=like(any).{A*,B*}`, a1, a2),
    finds(`${text}=like(all).{*a,*mm*}`, a3),
    finds(`${text}=ilike(any).{alp*,NORTH*}`, a1, a5),
    finds(`${text}=match.^[AB]`, a1, a2),
    finds(`${text}=match.^a`),
    finds(`${text}=imatch.^a`, a1),
    finds(`${text}=not.imatch.a$`, a4, a5),
    finds(`${text}=match(any).{^Al,mm}`, a1, a3, a4),
    // Full text
    finds(`${text}=fts.bridge`, a5),
    finds(`${text}=fts.alpha|beta`, a1, a2),
    finds(`${text}=fts.gamma%26!q`, a3),
    finds(`${text}=fts(simple).gamma`, a3, a4),
    finds(`${text}=plfts.q gamma`, a4),
    finds(`${text}=phfts.north bridge`, a5),
    finds(`${text}=phfts.bridge north`),
    finds(`${text}=wfts.alpha or gamma -q`, a1, a3),
    finds(`${text}=not.plfts.gamma`, a1, a2, a5),
    // Logic
    finds(`or=(id.eq.${a1},${text}.like.*B*)`, a1, a2, a5),
    finds(`and=(${text}.like.G*,${text}.not.eq.Gamma)`, a4),
    finds(`not.or=(id.eq.${a1},id.eq.${a2})`, a3, a4, a5),
    finds(`not.and=(id.gte.${a2},id.lte.${a4})`, a1, a5),
    finds(`or=(${text}.eq.Beta,and(id.gt.${a2},created_at.lt.2026-01-06))`, a2, a3),
    finds(`or=(${text}.eq."Gamma, \\"q\\" (100%25)",id.in.(${a1},${a2}))`, a1, a2, a4),
    finds(`or=( id.eq.${a1}, not.or(id.lt.${a5},bid_id.is.null))`, a1, a5),
    finds(`or=(id.eq.${a1},id.eq.${a2})&or=(id.eq.${a2},id.eq.${a3})`, a2),
    // Refusals
    refused(
      'id=1',
      'PGRST100',
      '"failed to parse filter (1)" (line 1, column 1)',
      'unexpected "1" expecting "not" or operator (eq, gt, ...)',
    ),
    refused(
      'id=zz.1',
      'PGRST100',
      '"failed to parse filter (zz.1)" (line 1, column 1)',
      'unexpected "z" expecting "not" or operator (eq, gt, ...)',
    ),
    refused(
      'bid_id=is.banana',
      'PGRST100',
      '"failed to parse filter (is.banana)" (line 1, column 4)',
      'unexpected "b" expecting isVal: (null, not_null, true, false, unknown)',
    ),
    refused(
      'or=()',
      'PGRST100',
      '"failed to parse logic tree (())" (line 1, column 2)',
      'unexpected ")" expecting field name (* or [a..z0..9_$]), negation operator (not) or logic operator (and, or)',
    ),
    refused('nope=eq.1', '42703', 'column project.nope does not exist'),
    refused('company_id=eq.1', '42703', 'column project.company_id does not exist'),
    refused('id=eq.abc', '22P02', 'invalid input syntax for type uuid: "abc"'),
    refused('id=in.(abc)', '22P02', 'invalid input syntax for type uuid: "abc"'),
    refused('created_at=gt.abc', '22007', 'invalid input syntax for type timestamp with time zone: "abc"'),
    refused(`${text}=is.true`, '42804', 'argument of IS TRUE must be type boolean, not type text'),
    refused('id=like.a*', '42883', 'operator does not exist: uuid ~~ unknown'),
    refused('created_at=ilike.2*', '42883', 'operator does not exist: timestamp with time zone ~~* unknown'),
    refused(`${text}=cs.{a}`, '42883', 'operator does not exist: text @> unknown'),
    refused(`${text}=match.(a`, '2201B', 'invalid regular expression: parentheses () not balanced'),
    refused(`${text}=fts(nope).a`, '42704', 'text search configuration "nope" does not exist'),
    {
      name: "a filter never reaches the other company's rows",
      by: 'rival',
      request: { path: `/project?or=(${text}.like.*,id.eq.${a2})&select=id` },
      expected: { status: 200, json: ids(a1, a9) },
    },
  ],
  more,
)

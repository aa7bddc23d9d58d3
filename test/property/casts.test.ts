import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { problemOf } from '../../src/store/postgres/postgres-problems.ts'
import { definedSql, keyword, type Sql, sql } from '../../src/store/sql.ts'
import { explainSqlite } from '../../src/store/sqlite/sqlite-problems.ts'
import { castDouble, castNumeric, numericKey } from '../../src/types/cast-number.ts'
import { castText, postgresTextCasts, type TextCastName } from '../../src/types/cast-text.ts'
import { numericAggregates } from '../../src/types/numeric-aggregates.ts'
import { engines } from '../support/engines.ts'
import { World } from '../support/world.ts'

/** What PostgreSQL makes of values, to compare with. */
const world = new World({})

beforeAll(async () => {
  for (const engine of engines) if (engine.name === 'postgres') await world.open(engine)
  await world.db.transact([
    keyword(`create function tried(template text, value text) returns text language plpgsql as $body$
      declare result text;
      begin
        execute 'select to_json(' || replace(template, '$', '$1') || ')::text' into result using value;
        return result;
      exception when others then return 'failed ' || sqlstate;
      end $body$`),
  ])
}, 600_000)

afterAll(() => world.close())

const asked = async (statement: Sql): Promise<unknown[]> => (await world.db.read(statement)).map(([value]) => value)

/** A template of SQL with each of the values: JSON, or why there is none. */
async function tried(template: string, values: readonly string[]): Promise<unknown[]> {
  const found = await asked(
    sql`select tried(${template}::text, value) from json_array_elements_text(${JSON.stringify(values)}::text::json) as value`,
  )
  return found.map((one) => {
    const [, state] = /^failed (.*)$/.exec(String(one)) ?? []
    return state === undefined ? JSON.parse(String(one)) : { problem: problemOf(state) }
  })
}

function attempt(work: () => string | number): unknown {
  try {
    return work()
  } catch (error) {
    return { problem: explainSqlite(error) }
  }
}

const digits = fc.constantFrom(
  '0',
  '1',
  '007',
  '12',
  '32767',
  '32768',
  '2147483648',
  '9223372036854775807',
  '9223372036854775808',
)
const number = fc
  .tuple(
    fc.constantFrom('', '', '-', '+', ' '),
    digits,
    fc.constantFrom('', '', '.', '.5', '.50', '.125'),
    fc.constantFrom('', '', 'e1', 'E-3', 'e+20', 'e400', 'e-400', ' ', 'x', '\n'),
  )
  .map((parts) => parts.join(''))
const moment = fc
  .tuple(
    fc.constantFrom('2026-01-31', '2026-02-30', '0000-01-01', '1999-12-31', '2024-02-29', '26-1-1'),
    fc.constantFrom('', 'T00:00', ' 23:59:59.999999', 'T12:34:56.70', ' 24:00', 'T1:00'),
    fc.constantFrom('', '', 'Z', '+01', '-05:30', '+16:00', ' '),
  )
  .map((parts) => parts.join(''))
const clock = fc
  .tuple(
    fc.constantFrom('00:00', '23:59:59.120', '12:34:56', '24:00', '6:07'),
    fc.constantFrom('', 'Z', '+01', '-0530', '+16'),
  )
  .map((parts) => parts.join(''))
const word = fc.constantFrom(
  'true',
  'F',
  'of',
  'o',
  'on',
  'YES',
  'yess',
  '1',
  '',
  'null',
  '"a"',
  '[1, 2',
  '{"a": [1.0]}',
  'NaN',
  'x',
)
const uuid = fc.constantFrom('01890a5d-ac96-774b-bcce-b302099a8057', '{01890A5DAC96774BBCCEB302099A8057}', '01890a5d')
const value = fc.oneof(number, number, moment, clock, word, uuid)

/** The JSON of what SQLite holds. */
const shown: Partial<Record<TextCastName, (text: string) => unknown>> = {
  boolean: (one) => one === '1',
  smallint: Number,
  integer: Number,
  bigint: Number,
  numeric: Number,
  'double precision': Number,
  json: JSON.parse,
}

for (const [type, template] of Object.entries(postgresTextCasts)) {
  test(`texts are read as ${type}, or refused, as by PostgreSQL`, async () => {
    const values = fc.sample(value, 1500)
    const found = await tried(template, values)
    const ours = values.map((text) => attempt(() => castText(type as TextCastName, text)))
    const show = shown[type as TextCastName] ?? ((text: string) => text)
    const made = ours.map((one) => (typeof one === 'object' ? one : show(String(one))))
    expect(values.filter((_, at) => !Bun.deepEquals(made[at], found[at])).map((text) => [text])).toEqual([])
  })
}

const numerics = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.constantFrom('0', '1', '12', '99999', '2147483647', '9223372036854775807'),
    fc.constantFrom('', '.5', '.49', '.50', '.001', '.10'),
  )
  .map((parts) => parts.join(''))
  .filter((numeric) => numeric !== '-0')

test('numbers are cast to each other as by PostgreSQL', async () => {
  const values = fc.sample(numerics, 300)
  for (const type of ['smallint', 'integer', 'bigint'] as const) {
    const [exact, double] = [await tried(`$::numeric::${type}`, values), await tried(`$::float8::${type}`, values)]
    const ours = (cast: (text: string) => string | number) => values.map((text) => attempt(() => Number(cast(text))))
    expect(ours((text) => castNumeric(type, text))).toEqual(exact as number[])
    expect(ours((text) => castDouble(type, Number(text)))).toEqual(double as number[])
  }
  const doubles = await asked(
    sql`select value::float8::numeric::text from json_array_elements_text(${JSON.stringify(values)}::text::json) as value`,
  )
  expect(values.map((text) => castDouble('numeric', Number(text)))).toEqual(doubles as string[])
})

test('numerics are added up and put in order as by PostgreSQL', async () => {
  for (const values of fc.sample(fc.array(numerics, { minLength: 1, maxLength: 8 }), 60)) {
    const list = sql`json_array_elements_text(${JSON.stringify(values)}::text::json) as value`
    for (const name of ['sum', 'avg', 'max', 'min'] as const) {
      const [expected] = await asked(sql`select ${definedSql(name)}(value::numeric)::text from ${list}`)
      const all = numericAggregates[name]()
      for (const value of values) all.add(value)
      const found = all.result()
      expect([values, name, name === 'max' || name === 'min' ? Number(found) : found]).toEqual([
        values,
        name,
        name === 'max' || name === 'min' ? Number(expected) : (expected as string),
      ])
    }
    const ordered = await asked(sql`select value::numeric::float8 from ${list} order by value::numeric`)
    const ours = values.toSorted((one, other) => (numericKey(one) < numericKey(other) ? -1 : 1)).map(Number)
    expect(ours).toEqual(ordered.map(Number))
  }
})

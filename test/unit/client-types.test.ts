import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { types } from '../../src/cli/types.ts'
import { readConfig } from '../../src/config/config.ts'
import type { Database } from '../../src/resources/client-types.ts'
import { resources } from '../../src/resources/index.ts'

const root = join(import.meta.dir, '../..')

type Tables = Database['public']['Tables']
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** Does not compile unless it is told the truth. */
const holds = <Fact extends boolean>(fact: Fact): void => expect(fact).toBe(fact)

describe('the inferred types', () => {
  test('know every resource', () => {
    const names: Record<keyof Tables, true> = { bid: true, project: true }
    const views: Record<keyof Database['public']['Views'], true> = { event: true, field: true }
    const named = (isReadOnly: boolean) =>
      resources.filter((one) => one.isReadOnly === isReadOnly).map(({ name }) => name)
    expect(Object.keys(names).sort()).toEqual(named(false).sort())
    expect(Object.keys(views).sort()).toEqual(named(true).sort())
  })

  test('are what the client wants to be given', () => {
    type Server = { created_at?: string; updated_at?: string }
    type Flat<Type> = { [Key in keyof Type]: Type[Key] }
    type Row = { id: string; bid_id: string; project_name: string; created_at: string; updated_at: string }
    type Insert = Flat<{ id?: string; bid_id: string; project_name: string } & Server>
    type Update = Flat<{ id?: string; bid_id?: string; project_name?: string } & Server>
    type ToBid = {
      foreignKeyName: 'project_bid_id_fkey'
      columns: ['bid_id']
      isOneToOne: false
      referencedRelation: 'bid'
      referencedColumns: ['id']
    }
    holds<Same<Tables['project']['Row'], Row>>(true)
    holds<Same<Flat<Tables['project']['Insert']>, Insert>>(true)
    holds<Same<Flat<Tables['project']['Update']>, Update>>(true)
    holds<Same<Tables['project']['Relationships'], [ToBid]>>(true)
    holds<Same<Tables['bid']['Relationships'], []>>(true)
  })
})

/** Each is compiled as the end of a program of its own that has `client` and `row`. */
const right = {
  'all columns': `const names: string[] = (await client.from('project').select().throwOnError()).data.map((one) => one.project_name)`,
  'some columns': `const ids: { id: string }[] = (await client.from('bid').select('id').throwOnError()).data`,
  'an alias': `const names: { name: string }[] = (await client.from('bid').select('name:bid_name').throwOnError()).data`,
  'the bid of a project': `const name: string = (await client.from('project').select('bid(bid_name)').single().throwOnError()).data.bid.bid_name`,
  'the projects of a bid': `const all: { id: string }[] = (await client.from('bid').select('project(id)').single().throwOnError()).data.project`,
  'a new row': `await client.from('project').insert(row)`,
  'a new row with an id': `await client.from('project').insert({ ...row, id: '' })`,
  'several new rows': `await client.from('bid').insert([{ bid_name: 'a' }, { bid_name: 'b' }])`,
  'one changed field': `await client.from('project').update({ project_name: 'b' }).eq('id', '')`,
  'a row as it was read, to change it': `const { data } = await client.from('project').select().single().throwOnError(); await client.from('project').update(data).eq('id', data.id)`,
  'rows as they were read, to merge them': `await client.from('bid').upsert((await client.from('bid').select().throwOnError()).data)`,
  'at most so many': `await client.from('project').delete().eq('bid_id', '').maxAffected(2).select()`,
  'the type of a row': `const one: Database['public']['Tables']['bid']['Row'] = { id: '', bid_name: '', created_at: '', updated_at: '' }`,
}
const wrong = {
  'an unknown resource': `await client.from('projects').select()`,
  'an unknown selected column': `const names: string[] = (await client.from('project').select('name').throwOnError()).data.map((one) => one.name)`,
  'a column that was not selected': `const names: string[] = (await client.from('project').select('id').throwOnError()).data.map((one) => one.bid_id)`,
  'a column of the company': `const ids: string[] = (await client.from('project').select().throwOnError()).data.map((one) => one.company_id)`,
  'a filter with a value of another type': `await client.from('project').select().eq('project_name', 1)`,
  'a new row with an unknown field': `await client.from('project').insert({ ...row, name: 'a' })`,
  'a new row without its bid': `await client.from('project').insert({ project_name: 'a' })`,
  'a new row with a null': `await client.from('project').insert({ ...row, project_name: null })`,
  'a change of an unknown field': `await client.from('project').update({ bid_name: 'b' }).eq('id', '')`,
  'a resource that does not belong': `const names: string[] = (await client.from('project').select('company(id)').single().throwOnError()).data.company.id`,
}

describe('the printed types', () => {
  const folder = mkdtempSync(join(tmpdir(), 'project-api-types-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  let printed = ''
  let complaints: readonly string[] = []
  beforeAll(async () => {
    const output = await types.run({
      words: [],
      flags: {},
      config: readConfig({}, false),
      startedAt: 0,
      wantsJson: false,
      isUnderNpm: false,
    })
    printed = output?.text ?? ''
    expect(output?.json).toEqual({ typescript: printed })
    complaints = await compile(folder, {
      'database.types.ts': printed,
      'same.ts': sameText,
      ...programs('right', right),
      ...programs('wrong', wrong),
    })
  }, 300_000)

  const complaintsAbout = (file: string) => complaints.filter((line) => line.startsWith(`${file}(`))

  test('stand alone', () => {
    expect(printed).not.toMatch(/\bimport\b/)
    expect(complaintsAbout('database.types.ts')).toEqual([])
  })

  test('are the inferred ones', () => {
    expect(complaintsAbout('same.ts')).toEqual([])
  })

  for (const [at, what] of Object.keys(right).entries()) {
    test(`take ${what}`, () => {
      expect(complaintsAbout(`right-${at}.ts`)).toEqual([])
    })
  }

  for (const [at, what] of Object.keys(wrong).entries()) {
    test(`refuse ${what}`, () => {
      const lines = complaintsAbout(`wrong-${at}.ts`)
      expect(lines).not.toEqual([])
      for (const line of lines) expect(line).toMatch(new RegExp(`\\(${preamble.length + 1},`))
    })
  }

  test('lead to no other complaint', () => {
    expect(complaints.filter((line) => !/^(wrong-\d+\.ts\(| )/.test(line))).toEqual([])
  })
})

const sameText = `import type { Database as Inferred } from '${root}/src/resources/client-types.ts'
import type { Database as Printed } from './database.types.ts'
type Extends<A, B> = [A] extends [B] ? true : false
type Exact<A> = { [K in keyof A]: A[K] extends object ? Exact<A[K]> : A[K] }
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
export const facts: [Extends<Inferred, Printed>, Extends<Printed, Inferred>, Same<Exact<Inferred>, Exact<Printed>>] = [true, true, true]
`

const preamble = [
  `import { createClient } from '@supabase/supabase-js'`,
  `import type { Database } from './database.types.ts'`,
  `export const client = createClient<Database>('http://localhost', 'key')`,
  `export const row = { bid_id: '', project_name: '' }`,
]

function programs(name: string, endings: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.values(endings).map((ending, at) => [`${name}-${at}.ts`, [...preamble, ending].join('\n')]),
  )
}

/** What the compiler says, line by line, in a project that a user might have. */
async function compile(folder: string, files: Readonly<Record<string, string>>): Promise<string[]> {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const config = { extends: join(root, 'tsconfig.json'), include: [], files: Object.keys(files) }
  for (const [name, text] of Object.entries({ ...files, 'tsconfig.json': JSON.stringify(config) }))
    writeFileSync(join(folder, name), text)
  const tsc = Bun.spawn([join(root, 'node_modules/.bin/tsc'), '-p', '.', '--pretty', 'false'], {
    cwd: folder,
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const text = await tsc.stdout.text()
  return text.split('\n').filter((line) => line !== '')
}

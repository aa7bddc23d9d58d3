import type { FieldType } from '../src/fields/field.ts'
import { createField } from '../src/fields/fields.ts'
import { settleFields } from '../src/fields/settle-fields.ts'
import { resource } from '../src/resources/define.ts'
import { project } from '../src/resources/project.ts'
import { companyRows } from '../src/store/compile/company-rows.ts'
import type { Database } from '../src/store/database.ts'
import { tableScript } from '../src/store/schema.ts'
import { sql } from '../src/store/sql.ts'
import { runScript } from './engine.ts'
import { projectScript, settleScript } from './fill.ts'
import { type Company, makeCompany, type Place, withDatabase } from './place.ts'
import { bothWays, type Subject } from './subjects.ts'
import { type BenchField, indexedName, tenFields, tenValues } from './ten-fields.ts'

/** Companies with ten fields of their own, and a table that has the same as real columns, for the bare handler. */
export async function makeFielded(place: Place): Promise<Place> {
  const { engine, databaseUrl } = place
  return withDatabase(databaseUrl, async (db) => {
    const small = await makeCompany(db, databaseUrl, 'Small, with fields')
    const writer = await makeCompany(db, databaseUrl, 'Writer, with fields')
    const quiet = await makeCompany(db, databaseUrl, 'Quiet, with fields')
    const { version } = await addTenFields(db, small.id, false)
    for (const { id } of [writer, quiet]) await addTenFields(db, id, false)
    const rows = projectScript(engine, small.id, { perBid: 10, from: 0, to: 20, fieldsVersion: version })
    const names = ['company_id', 'id', 'bid_id', 'project_name', 'created_at', 'updated_at']
    const own = tenFields.map((field) => (engine === 'sqlite' ? `fields ->> '${field.name}'` : realValue(field)))
    await runScript(databaseUrl, [
      ...tableScript(withRealColumns(), engine)
        .split(';\n')
        .filter((statement) => statement.trim() !== ''),
      ...rows,
      `insert into bare_project (${[...names, ...tenFields.map(({ name }) => name)]})
       select ${[...names, ...own]} from project where company_id = '${small.id}'`,
      `update company set events = 'off' where id = '${quiet.id}'`,
      ...settleScript(engine),
    ])
    return { ...place, small, writer, quiet, bareTable: 'bare_project' }
  })
}

/** The value of a field as its real column has it, on PostgreSQL. */
const realValue = ({ name, type }: BenchField): string => `(fields ->> '${name}')${realTypes[type] ?? ''}`
const realTypes: Partial<Record<FieldType, string>> = {
  integer: '::bigint',
  date: '::date',
  timestamp: '::timestamptz',
}

const withRealColumns = () =>
  resource('bare_project', '', {
    ...project.definitions,
    ...Object.fromEntries(
      tenFields.map(({ name, type }) => [name, { type, description: '', nullable: true as const }]),
    ),
  })

export function makeFieldedSubjects({ engine, small, writer, quiet }: Place): readonly Subject[] {
  const path = '/rest/v1/project'
  const grouped = engine === 'sqlite' ? ', group commit' : ''
  const creates = ({ caller, bidId }: Company) => ({
    ...{ caller, path },
    body: JSON.stringify({ bid_id: bidId, project_name: 'A project', ...tenValues }),
    rivals: bothWays(`bare, real columns${grouped}`, '/fielded-create', 0.65),
  })
  return [
    {
      ...{ name: 'fields-list-20', title: 'list 20 rows with 10 own fields', body: null, caller: small.caller, path },
      rivals: bothWays('bare, real columns', '/fielded-list', 0.7),
    },
    { ...creates(writer), name: 'fields-create', title: 'create one project with 10 own fields' },
    // As the bare handler does.
    { ...creates(quiet), name: 'fields-create-quiet', title: 'create one project with 10 own fields, no event' },
  ]
}

/** Returns the version that rows with all of them are written for, and the id of the one that may be indexed. */
export async function addTenFields(
  db: Database,
  companyId: string,
  isIndexed: boolean,
): Promise<{ readonly version: number; readonly indexedId: string }> {
  let indexedId = ''
  for (const { json, ...field } of tenFields) {
    const indexed = isIndexed && field.name === indexedName
    const { id } = await createField(db, companyId, { resource: 'project', ...field, indexed })
    if (indexed) indexedId = id
  }
  await settleFields(db, {
    pauseMs: 0,
    report: (error) => {
      throw error
    },
  })
  const own = db.forCompany(companyId)
  const [[version] = []] = await own.read(sql`select version from ${companyRows('field_set', own)}`)
  return { version: Number(version), indexedId }
}

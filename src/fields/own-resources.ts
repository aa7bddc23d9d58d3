import { BoundedMap } from '../caches/bounded-map.ts'
import type { Column, OwnFields, Resource } from '../resources/define.ts'
import { resources } from '../resources/index.ts'
import type { Companies, Database } from '../store/database.ts'
import type { Soon } from '../store/soon.ts'
import { columnOfField } from './column-of-field.ts'
import { readSchema, type Schema } from './field-rows.ts'

/** All resources as one company knows them: with its own columns behind the built-in ones. */
export interface OwnResources {
  /** Of the company's fields in all resources. */
  readonly version: number
  readonly all: readonly Resource[]
}

type Keeper = Companies & Pick<Database, 'location'>

/** Companies whose fields are kept in memory, with all that was planned for them. */
const companiesMax = 1000

const known = new BoundedMap<OwnResources>(companiesMax)

/** The resources of a company whose fields have this version, or a later one. Version 0: it has none. */
export function ownResources(db: Keeper, companyId: string, version: number): Soon<OwnResources> {
  if (version === 0) return builtIn
  const key = `${companyId} ${db.location}`
  const found = known.get(key)
  if (found && found.version >= version) return found
  return readResources(db, companyId, key)
}

/** As they are now, whatever is kept in memory: for commands. */
export const latestResources = async (db: Keeper, companyId: string): Promise<readonly Resource[]> =>
  (await ownResources(db, companyId, Number.POSITIVE_INFINITY)).all

const builtIn: OwnResources = { version: 0, all: resources }

async function readResources(db: Companies, companyId: string, key: string): Promise<OwnResources> {
  const own = db.forCompany(companyId)
  const made = makeResources(await readSchema(own))
  const found = known.get(key)
  // Of two that read at the same time, the later version stays.
  if (found && found.version >= made.version) return found
  known.set(key, made)
  return made
}

function makeResources({ version, fields }: Schema): OwnResources {
  const all: Resource[] = []
  for (const resource of resources) {
    const own = ownFields(fields.filter(({ field }) => field.resource === resource.name))
    const columns = own ? new Map([...resource.columns, ...own.columns.map(byName)]) : resource.columns
    all.push({ ...resource, columns, siblings: all, ...(own ? { own } : {}) })
  }
  return { version, all }
}

const byName = (column: Column): [string, Column] => [column.name, column]

/** null where nothing is shown. */
function ownFields(found: Schema['fields']): OwnFields | null {
  const live = found.filter(({ field }) => field.archived_at === null)
  const [first] = live
  if (!first) return null
  return {
    version: first.set.version,
    columns: live.map(({ field, set }) => columnOfField(field, set)),
    archived: found.flatMap(({ field }) => (field.archived_at === null ? [] : [field.name])),
  }
}

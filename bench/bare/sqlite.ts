import { Database } from 'bun:sqlite'
import { type Bare, type FieldedRow, fieldedNames, type ProjectRow } from './bare.ts'

const shown = `json_object('id', id, 'bid_id', bid_id, 'project_name', project_name, 'created_at', created_at, 'updated_at', updated_at)`
const fielded = `${shown.slice(0, -1)}, ${fieldedNames.map((name) => `'${name}', ${name}`).join(', ')})`

export function openSqlite(path: string): Bare {
  const engine = new Database(path, { strict: true })
  engine.run('pragma busy_timeout = 5000')
  engine.run('pragma journal_mode = wal')
  engine.run('pragma synchronous = full')
  engine.run('pragma foreign_keys = on')
  const found = engine.prepare('select company_id from bare_credential where key_digest = ? and secret_digest = ?')
  const listed = engine.prepare(
    `select group_concat(text, ',\n') from (select ${shown} as text from project where company_id = ? order by id)`,
  )
  const got = engine.prepare(`select ${shown} from project where company_id = ? and id = ?`)
  // Without statistics, SQLite would scan the whole company instead of using the index.
  const embedded = engine.prepare(
    `select group_concat(json_object('id', p.id, 'project_name', p.project_name, 'created_at', p.created_at,
       'bid', json_object('id', b.id, 'bid_name', b.bid_name)), ',\n')
     from (select * from project indexed by project_by_bid_id where company_id = ? and bid_id = ? order by created_at desc limit ?) p
     cross join bid b on b.company_id = p.company_id and b.id = p.bid_id`,
  )
  const inserted = engine.prepare(
    'insert into project (company_id, id, bid_id, project_name, created_at, updated_at) values (?, ?, ?, ?, ?, ?)',
  )
  // Prepared when first used, as the table is only there for its own subjects.
  let listedFielded: typeof listed | null = null
  let insertedFielded: typeof inserted | null = null
  const begun = engine.prepare('begin immediate')
  const committed = engine.prepare('commit')
  const partAfter = engine.prepare(
    `select group_concat(text, ',\n'), max(id) from
       (select ${shown} as text, id from project where company_id = ? and id > ? order by id limit 1000)`,
  )
  const first = (statement: typeof found, ...values: (string | number)[]) =>
    String(statement.values(...(values as string[]))[0]?.[0] ?? '')

  let waiting: {
    readonly statement: typeof inserted
    readonly rows: readonly (ProjectRow | FieldedRow)[]
    readonly answer: () => void
  }[] = []
  function commit(): void {
    const jobs = waiting
    waiting = []
    begun.run()
    for (const { statement, rows } of jobs) for (const row of rows) statement.run(...(row as ProjectRow))
    committed.run()
    for (const { answer } of jobs) answer()
  }
  const inNextCommit = (statement: typeof inserted, rows: readonly (ProjectRow | FieldedRow)[]): Promise<void> =>
    new Promise((answer) => {
      if (waiting.length === 0) setImmediate(commit)
      waiting.push({ statement, rows, answer })
    })

  return {
    readCompany: (...digests) => first(found, ...digests),
    list: (company) => first(listed, company),
    get: (company, id) => first(got, company, id),
    embed: (company, bid, limit) => first(embedded, company, bid, limit),
    insert: (rows) => inNextCommit(inserted, rows),
    listFielded: (company) => {
      listedFielded ??= engine.prepare(
        `select group_concat(text, ',\n') from (select ${fielded} as text from bare_project where company_id = ? order by id)`,
      )
      return first(listedFielded, company)
    },
    insertFielded: (row) => {
      insertedFielded ??= engine.prepare(
        `insert into bare_project (company_id, id, bid_id, project_name, created_at, updated_at, ${fieldedNames})
         values (${row.map(() => '?')})`,
      )
      return inNextCommit(insertedFielded, [row])
    },
    insertAlone: async (row) => {
      inserted.run(...row)
    },
    // By key, because an open statement would block checkpoints of the write-ahead log for as long as the client reads.
    async *stream(company) {
      for (let last = ''; ; ) {
        const [[part, id] = []] = partAfter.values(company, last) as [string | null, string | null][]
        if (!part || !id) return
        last = id
        yield part
      }
    },
  }
}

import { project } from '../../src/resources/project.ts'
import type { Database } from '../../src/store/database.ts'
import { type Attempt, isTooBusy, Missed } from '../proof.ts'
import { brokenSource, type Sabotage } from '../sabotage.ts'

/** `bun prove/model/walls-attempt.ts WALL ENGINE SIZE SEED`: the model, with one wall taken out. Prints what it saw as JSON. */

export type Wall = 'where' | 'keys'

/** Says that the attack has to be made again. */
export const missedExitCode = 3

const where: Sabotage = {
  breaks: 'the where of a statement does not name the company',
  file: 'src/store/compile/company-rows.ts',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a piece of source
  text: 'new Sql([`${before} "${alias}"."company_id" = `, \'\'], [companyId])',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a piece of source
  instead: "new Sql([`${before} `, ' = ', ''], [companyId, companyId])",
}

if (import.meta.main) {
  await run().catch((error) => {
    if (!(error instanceof Missed || isTooBusy(error))) throw error
    console.error(error)
    process.exit(missedExitCode)
  })
}

async function run(): Promise<void> {
  const [wall, engineName, size, seed] = process.argv.slice(2)
  if (wall === 'where') breakSource(where)
  // Only now: what is loaded before stays as it is.
  const { engines, stopServer } = await import('../../test/support/engines.ts')
  const { openCompanies } = await import('./model-companies.ts')
  const { play } = await import('./model-play.ts')
  const engine = engines.find(({ name }) => name === engineName)
  if (!engine) throw new Error(`There is no engine "${engineName}"`)
  await using ends = new AsyncDisposableStack()
  ends.defer(stopServer)
  const attempt: Attempt = { engine, size: Number(size), env: {}, ends }
  const { db, companies } = await openCompanies(attempt, 20)
  if (wall === 'keys') await dropKey(db)
  const { operations, differences, foreign, tooBusy } = await play(companies, attempt.size, Number(seed))
  // A foreign row counts, whatever came after it.
  if (tooBusy !== null && foreign.length === 0) throw new Missed(tooBusy)
  console.log(JSON.stringify({ operations, differences: differences.length, foreign }))
}

/** As in preload.ts, and beside it: a control may have broken another file at the same time. */
function breakSource(sabotage: Sabotage): void {
  const filter = new RegExp(`/${RegExp.escape(sabotage.file)}$`)
  Bun.plugin({
    name: 'wall',
    setup: (build) => {
      build.onLoad({ filter }, () => ({ contents: brokenSource(sabotage), loader: 'ts' }))
    },
  })
}

/** Any project may point at any bid from now on. */
async function dropKey(db: Database): Promise<void> {
  const { sql, keyword, Sql } = await import('../../src/store/sql.ts')
  if (db.dialect.name === 'postgres') {
    await db.transact([sql`alter table project drop constraint project_bid_id_fkey`])
    return
  }
  const { tableScript } = await import('../../src/store/schema.ts')
  const [table = ''] = tableScript(project, 'sqlite')
    .replace(/ {2}constraint project_bid_id_fkey[^\n]*\n/, '')
    .split(';')
  await db.transact([keyword('drop table project'), new Sql([table], [])])
}

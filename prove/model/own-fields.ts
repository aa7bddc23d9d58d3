import { settleFields } from '../../src/fields/settle-fields.ts'
import type { Database } from '../../src/store/database.ts'
import { type Attempt, type Figures, isTooBusy, Missed, type Proof, requireNone } from '../proof.ts'
import { chosenSeed } from '../random.ts'
import { openCompanies } from './model-companies.ts'
import { describe } from './model-describe.ts'
import { changeFields } from './model-field-changes.ts'
import { play } from './model-play.ts'

const companyCount = 20

export const ownFields: Proof = {
  promise:
    'Fields of companies are columns: every answer equals that of a simple model, and no company sees a row, a field or the name of a field of another.',
  attack:
    `The attack of \`model\` by ${companyCount} companies with different fields, and with fields of the same name but another type. They use the names of each ` +
    'other; fields are added, archived, restored, moved and indexed meanwhile, and rows are rewritten in the background.',
  size: { unit: 'operations', short: 1500, full: { sqlite: 200_000, postgres: 200_000 } },
  run,
  controls: [
    {
      breaks: 'the fields of one company are used for all',
      notices: 'names of fields of another company',
      size: 400,
      file: 'src/fields/own-resources.ts',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a piece of source
      text: 'const key = `${companyId} ${db.location}`',
      instead: 'const key = db.location',
    },
    {
      breaks: 'a row of an older version is shown as it was written',
      notices: 'differences',
      size: 800,
      file: 'src/store/compile/own-fields.ts',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a piece of source
      text: '= ${integer(version)} then ${whole}',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a piece of source
      instead: '<= ${integer(version)} then ${whole}',
    },
  ],
}

async function run(attempt: Attempt): Promise<Figures> {
  const seed = chosenSeed()
  const { db, companies } = await openCompanies(attempt, companyCount)
  const settling = settleMeanwhile(db)
  let changes = 0
  const startedAt = performance.now()
  const { operations, rowsChecked, differences, foreign, foreignNames, tooBusy } = await play(
    companies,
    attempt.size,
    seed,
    {
      ask: describe,
      change: (scene, company, kind) => {
        changes += 1
        return changeFields(db, scene, company, kind)
      },
    },
  )
  const failures = await settling.stop()
  requireNone(`names of fields of another company (SEED=${seed})`, foreignNames)
  requireNone(`foreign rows (SEED=${seed})`, foreign)
  requireNone(`differences (SEED=${seed})`, differences)
  requireNone('rewrites of rows that failed', failures.filter((error) => !isTooBusy(error)).map(String))
  if (failures.length > 0) throw failures[0]
  if (tooBusy !== null) throw new Missed(tooBusy)
  return {
    seed: String(seed),
    companies: companyCount,
    operations,
    'changes of fields': changes,
    'rows compared': rowsChecked,
    differences: differences.length,
    'foreign rows': foreign.length,
    "names of another company's fields": foreignNames.length,
    'operations per second': Math.round((operations * 1000) / (performance.now() - startedAt)),
  }
}

/** Rewrites rows and builds indexes beside the requests, as a process of the service does. Its end tells what failed. */
function settleMeanwhile(db: Database): { stop(): Promise<readonly unknown[]> } {
  const errors: unknown[] = []
  let isStopped = false
  const settle = async (): Promise<void> => {
    while (!isStopped) {
      await Bun.sleep(pauseMs)
      await settleFields(db, { pauseMs, report: (error) => errors.push(error) })
    }
  }
  const running = settle()
  return {
    stop: async () => {
      isStopped = true
      await running
      return errors
    },
  }
}

/** Long enough for rows of older versions to be read and written. */
const pauseMs = 100

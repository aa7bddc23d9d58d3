import { type Attempt, type Figures, Missed, type Proof, requireNone } from '../proof.ts'
import { chosenSeed } from '../random.ts'
import { openCompanies } from './model-companies.ts'
import { play } from './model-play.ts'

const companyCount = 20

export const model: Proof = {
  promise: 'Every answer equals that of a simple model of the rows, and no company sees a row of another.',
  attack:
    `${companyCount} companies create, upsert, change, put, delete and list at the same time, and use the ids of each other wherever an ` +
    'id can be sent; each answer is compared with a model in memory.',
  size: { unit: 'operations', short: 2000, full: { sqlite: 200_000, postgres: 200_000 } },
  run,
  controls: [
    {
      breaks: 'the order of rows is turned round',
      notices: 'differences',
      file: 'src/store/compile/compile-condition.ts',
      text: "descending ? keyword(' desc') : keyword(' asc')",
      instead: "descending ? keyword(' asc') : keyword(' desc')",
    },
    {
      breaks: 'an upsert leaves a field as it was',
      notices: 'differences',
      file: 'src/store/compile/compile-write.ts',
      text: 'const changes = conflict.changes',
      instead: 'const changes = conflict.changes.slice(1)',
    },
  ],
}

async function run(attempt: Attempt): Promise<Figures> {
  const seed = chosenSeed()
  const { companies } = await openCompanies(attempt, companyCount)
  const startedAt = performance.now()
  const { operations, rowsChecked, differences, foreign, tooBusy } = await play(companies, attempt.size, seed)
  requireNone(`foreign rows (SEED=${seed})`, foreign)
  requireNone(`differences (SEED=${seed})`, differences)
  if (tooBusy !== null) throw new Missed(tooBusy)
  return {
    seed: String(seed),
    companies: companyCount,
    operations,
    'rows compared': rowsChecked,
    differences: differences.length,
    'foreign rows': foreign.length,
    'operations per second': Math.round((operations * 1000) / (performance.now() - startedAt)),
  }
}

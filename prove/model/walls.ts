import { join } from 'node:path'
import { type Attempt, Broken, type Figures, Missed, type Proof, requireNone } from '../proof.ts'
import { chosenSeed } from '../random.ts'
import { missedExitCode, type Wall } from './walls-attempt.ts'

/** What the model says where one wall is missing. */
interface Seen {
  readonly operations: number
  readonly differences: number
  readonly foreign: readonly string[]
}

const names: Readonly<Record<Wall, string>> = {
  where: 'the company in every where',
  keys: 'the company in every foreign key',
}

export const wallsProof: Proof = {
  promise: 'Two independent checks separate the companies, and each is sufficient alone.',
  attack:
    'The attack of `model`, first without the company in every `where`, then without it in every foreign key: no row of another ' +
    'company may be seen, and the model must notice that a check is missing.',
  size: { unit: 'operations', short: 1000, full: { sqlite: 50_000, postgres: 50_000 } },
  run,
  controls: [
    {
      breaks: 'no statement is looked through before it is run',
      notices: 'foreign rows',
      file: 'src/store/compile/one-company.ts',
      text: 'if (!places?.every((at) => values[at] === companyId)) throw',
      instead: 'if (companyId === null) throw',
    },
  ],
}

async function run(attempt: Attempt): Promise<Figures> {
  const seed = chosenSeed()
  const figures: Record<string, number | string> = { seed: String(seed) }
  for (const wall of ['where', 'keys'] as const) {
    const { operations, differences, foreign } = await without(wall, attempt, seed)
    requireNone(`foreign rows without ${names[wall]} (SEED=${seed})`, foreign)
    if (differences === 0) throw new Broken(`Nobody noticed that ${names[wall]} was missing`)
    figures[`operations without ${names[wall]}`] = operations
    figures[`foreign rows without ${names[wall]}`] = foreign.length
    figures[`differences noticed without ${names[wall]}`] = differences
  }
  return figures
}

async function without(wall: Wall, { engine, size }: Attempt, seed: number): Promise<Seen> {
  const command = [
    process.execPath,
    join(import.meta.dir, 'walls-attempt.ts'),
    wall,
    engine.name,
    String(size),
    String(seed),
  ]
  const child = Bun.spawn(command, { env: process.env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [said, complained, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  if (exitCode === missedExitCode) throw new Missed(`The attempt without ${names[wall]} missed: ${complained}`)
  if (exitCode !== 0) throw new Error(`The attempt without ${names[wall]} failed: ${complained}`)
  return JSON.parse(said.trimEnd().split('\n').at(-1) ?? '')
}

import { engines, stopServer } from '../test/support/engines.ts'
import { endAll } from '../test/support/service.ts'
import { Broken, isTooBusy, Missed } from './proof.ts'
import { findProof } from './proofs.ts'
import { inheritedVariables } from './sabotage.ts'
import type { Said } from './try-proof.ts'

/** `bun prove/attempt.ts NAME ENGINE SIZE`: one try at a promise, in a process of its own. Its last line is the outcome. */
const [name = '', engineName, size] = process.argv.slice(2)
const engine = engines.find((one) => one.name === engineName)
if (!engine) throw new Error(`There is no engine "${engineName}"`)

const ends = new AsyncDisposableStack()
ends.defer(stopServer)
ends.defer(endAll)
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => ends.disposeAsync().finally(exitAtOnce))
}
let outcome: Said
try {
  const figures = await findProof(name).run({ engine, size: Number(size), env: inheritedVariables(), ends })
  outcome = { kind: 'kept', figures }
} catch (error) {
  if (!(error instanceof Broken)) console.error(error)
  const isMissed = error instanceof Missed || isTooBusy(error)
  const kind = error instanceof Broken ? 'broken' : isMissed ? 'missed' : 'failed'
  outcome = { kind, how: String(error) }
}
await ends.disposeAsync()
console.log(JSON.stringify(outcome))
// A socket that an attack left half open must not hold the process.
process.exit(0)

/** What is still under way may have started another service meanwhile. */
function exitAtOnce(): void {
  void endAll()
  process.exit(130)
}

import { failover } from './failover.ts'
import { fuzz } from './fuzz.ts'
import { idempotency } from './idempotency.ts'
import { kill } from './kill.ts'
import { model } from './model.ts'
import { neighbour } from './neighbour.ts'
import { postgresKill } from './postgres-kill.ts'
import type { Proof } from './proof.ts'
import { restart } from './restart.ts'
import { secrets } from './secrets.ts'
import { timing } from './timing.ts'
import { wallsProof } from './walls.ts'

/** Every promise, by the name that `npm run prove` takes. */
export const proofs: Readonly<Record<string, Proof>> = {
  kill,
  'postgres-kill': postgresKill,
  failover,
  idempotency,
  restart,
  neighbour,
  fuzz,
  model,
  walls: wallsProof,
  timing,
  secrets,
}

export function findProof(name: string): Proof {
  const proof = Object.hasOwn(proofs, name) ? proofs[name] : undefined
  if (!proof) throw new Error(`There is no proof "${name}". There are: ${Object.keys(proofs).join(', ')}.`)
  return proof
}

import { cost } from './cost/cost.ts'
import { cluster } from './crash/cluster.ts'
import { failover } from './crash/failover.ts'
import { idempotency } from './crash/idempotency.ts'
import { kill } from './crash/kill.ts'
import { postgresKill } from './crash/postgres-kill.ts'
import { restart } from './crash/restart.ts'
import { events } from './events/events.ts'
import { fuzz } from './fuzz/fuzz.ts'
import { model } from './model/model.ts'
import { ownFields } from './model/own-fields.ts'
import { wallsProof } from './model/walls.ts'
import { neighbour } from './neighbour/neighbour.ts'
import type { Proof } from './proof.ts'
import { quietLog } from './quiet-log/quiet-log.ts'
import { rights } from './rights/rights.ts'
import { secrets } from './secrets/secrets.ts'
import { timing } from './timing/timing.ts'
import { transitions } from './transitions/transitions.ts'
import { webhooks } from './webhooks/webhooks.ts'

/** Every promise, by the name that `npm run prove` takes. */
export const proofs: Readonly<Record<string, Proof>> = {
  kill,
  'postgres-kill': postgresKill,
  failover,
  cluster,
  idempotency,
  restart,
  events,
  webhooks,
  neighbour,
  cost,
  fuzz,
  model,
  'own-fields': ownFields,
  transitions,
  walls: wallsProof,
  timing,
  secrets,
  rights,
  'quiet-log': quietLog,
}

export function findProof(name: string): Proof {
  const proof = Object.hasOwn(proofs, name) ? proofs[name] : undefined
  if (!proof) throw new Error(`There is no proof "${name}". There are: ${Object.keys(proofs).join(', ')}.`)
  return proof
}

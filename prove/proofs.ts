import { kill } from './kill.ts'
import type { Proof } from './proof.ts'

/** Every promise, by the name that `npm run prove` takes. */
export const proofs: Readonly<Record<string, Proof>> = { kill }

export function findProof(name: string): Proof {
  const proof = Object.hasOwn(proofs, name) ? proofs[name] : undefined
  if (!proof) throw new Error(`There is no proof "${name}". There are: ${Object.keys(proofs).join(', ')}.`)
  return proof
}

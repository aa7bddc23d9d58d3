import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { EngineName } from '../../prove/proof.ts'
import { proofs } from '../../prove/proofs.ts'
import { tryControl, tryProof } from '../../prove/try-proof.ts'
import { startPostgres } from '../support/postgres.ts'

/** Each promise holds for a short time, and goes red where a guard is broken: the first of its controls, on one engine. `npm run prove -- --control` tries all. */
export async function proveShortly(engine: EngineName): Promise<void> {
  setDefaultTimeout(600_000)
  // One server for all of them: each attempt is a process that would otherwise bring its own.
  const server = process.env.TEST_DATABASE_URL ? null : await startPostgres()
  const postgresUrl = process.env.TEST_DATABASE_URL ?? server?.url
  afterAll(() => server?.stop())

  for (const [name, { promise, size, controls }] of Object.entries(proofs)) {
    const { short, unit, full } = size
    if (short === null || full[engine] === undefined) continue
    describe(`${name} (${engine}): ${promise}`, () => {
      test(`holds for ${short} ${unit}`, async () => {
        const figures = expect.any(Object)
        expect(await tryProof({ name, engine, size: short, postgresUrl })).toEqual({ kind: 'kept', figures })
      })
      const brokenHere = controls.filter(({ engines = Object.keys(full) }) => engines[0] === engine)
      for (const control of brokenHere.slice(0, 1)) {
        test(`goes red where ${control.breaks}`, async () => {
          const attempt = { name, engine, size: control.size ?? short, postgresUrl }
          const how = expect.stringContaining(control.notices)
          expect(await tryControl(attempt, control)).toEqual({ kind: 'broken', how })
        })
      }
    })
  }
}

import type { Database } from '../../src/store/database.ts'
import { Missed } from '../proof.ts'
import { type HeldIn, hold } from './held-request.ts'
import { makeScene } from './scene.ts'
import { isDone } from './strike.ts'
import type { WritingRoute } from './writing-routes.ts'

/** Time for an answer to what needs no body, on a busy machine, too. */
const earlyMs = 3000
const answerMs = 30_000

/** Sends every request by one whose right does not end: all must be done, or nothing is shown by those that are not. */
export async function rehearse(
  db: Database,
  base: string,
  routes: readonly WritingRoute[],
): Promise<ReadonlyMap<WritingRoute, HeldIn>> {
  return new Map(await Promise.all(routes.map(async (route) => [route, await rehearseOne(db, base, route)] as const)))
}

async function rehearseOne(db: Database, base: string, route: WritingRoute): Promise<HeldIn> {
  const request = await route.make(db, base, await makeScene(db, base))
  const place = request.body === '' ? 'head' : 'body'
  const held = await hold(base, request, place)
  await held.ended(earlyMs)
  const isEarly = held.isAnswered()
  if (!isEarly) held.sendRest()
  await held.ended(answerMs)
  held.close()
  if (held.status() === 503) throw new Missed(`${route.name} was refused, because the machine was too busy`)
  if (!isDone(held.status()))
    throw new Error(`${route.name} is not done, though there is a right to it: ${held.status()}`)
  return isEarly ? 'head' : place
}

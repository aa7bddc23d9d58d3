import type { Database } from '../../src/store/database.ts'
import { type HeldIn, type HeldRequest, hold } from './held-request.ts'
import type { Order } from './orders.ts'
import { makeScene, storedIn } from './scene.ts'
import type { WritingRoute } from './writing-routes.ts'

/** Where requests are held. */
export interface Ground {
  readonly db: Database
  /** Of two instances. */
  readonly bases: readonly [string, string]
  readonly heldIn: ReadonlyMap<WritingRoute, HeldIn>
}

interface Volley {
  readonly routes: readonly WritingRoute[]
  readonly count: number
  readonly round: number
}

/** Time for what was sent to arrive. */
const arrivalMs = 200
/** A right may have an effect for a second. */
const graceMs = 1100
const answerMs = 30_000

/** Holds requests, ends the right to all of them, sends the rest: which of them were done. */
export async function strike({ db, bases, heldIn }: Ground, order: Order, { routes, count, round }: Volley) {
  const scene = await makeScene(db, bases[0])
  const opened: { readonly route: WritingRoute; readonly request: HeldRequest }[] = []
  const made = await Promise.all(routes.map((route) => route.make(db, bases[0], scene)))
  for (let at = 0; at < count; at += 1) {
    // By turns with those of the rounds before, so that all routes come equally often.
    const which = (round * count + at) % routes.length
    const [route, request] = [routes[which], made[which]]
    if (!route || !request) throw new Error('There is no route')
    opened.push({ route, request: await hold(bases[0], request, heldIn.get(route) ?? 'head') })
  }
  await Bun.sleep(arrivalMs)
  await order.end(bases[round % 2] ?? bases[0], scene)
  await Bun.sleep(graceMs)
  const before = await storedIn(db)
  // An answer that has come by now was given to a request that was whole, and could not be held.
  const late = opened.filter(({ request }) => !request.isAnswered())
  for (const { request } of late) request.sendRest()
  await Promise.all(late.map(({ request }) => request.ended(answerMs)))
  const done = late.filter(({ request }) => isDone(request.status())).map(({ route }) => `${order.name}: ${route.name}`)
  if (done.length === 0 && (await storedIn(db)) !== before) done.push(`${order.name}: something, but it was not told`)
  for (const { request } of opened) request.close()
  return { held: late.length, done }
}

export const isDone = (status: number): boolean => status >= 200 && status < 400

import { startService } from '../../test/support/service.ts'
import { peopleSettings } from '../people.ts'
import { type Attempt, type Figures, Missed, type Proof, requireNone } from '../proof.ts'
import { makeStage, withDatabase } from '../stage.ts'
import { controls } from './controls.ts'
import { type Order, orders } from './orders.ts'
import { rehearse } from './rehearse.ts'
import { type Ground, strike } from './strike.ts'
import { writingRoutes } from './writing-routes.ts'

export const rights: Proof = {
  promise: 'A right that has ended has no effect after one second, even for requests that began before.',
  attack:
    'Requests to the routes that write rows, members, invitations, credentials and sessions, with a credential and in the settings app: the headers and a few bytes are sent, the right is ended by another request, in turn through another instance, and the rest is sent more than a second later.',
  size: { unit: 'held requests in each order', short: 40, full: { sqlite: 1000, postgres: 1000 } },
  isOutside: true,
  run,
  controls,
}

async function run(attempt: Attempt): Promise<Figures> {
  const stage = await makeStage(attempt, [])
  const env = { ...stage.env, ...peopleSettings }
  const bases = [(await startService(env)).base, (await startService(env)).base] as const
  return withDatabase(stage.url, async (db) => {
    const ground: Ground = { db, bases, heldIn: await rehearse(db, bases[0], writingRoutes) }
    const figures: Record<string, number> = {}
    for (const order of orders) figures[`held and ${order.name}`] = await holdMany(ground, order, attempt.size)
    return { ...figures, routes: writingRoutes.length, 'done after the right had ended': 0 }
  })
}

/** How many were held, none of which was done. */
async function holdMany(ground: Ground, order: Order, size: number): Promise<number> {
  const routes = writingRoutes.filter((route) => order.ends(route))
  let held = 0
  for (let round = 0; held < size; round += 1) {
    const found = await strike(ground, order, { routes, count: Math.min(atOnce, size - held), round })
    requireNone('requests done after the right had ended', found.done)
    held += found.held
    if (found.held === 0) throw new Missed(`No request could be held (${order.name})`)
  }
  return held
}

const atOnce = 100

import { Random } from '../random.ts'
import type { Caller } from '../stage.ts'
import { states } from './states.ts'

/** A write that was sent: it gives some rows a state, and a name that no other write uses. */
export interface Move {
  readonly name: string
  readonly status: string
  readonly ids: readonly string[]
  readonly answer: { readonly status: number; readonly text: string }
}

interface Race {
  readonly bases: readonly string[]
  readonly caller: Caller
  readonly ids: readonly string[]
  /** How many writes are sent. */
  readonly size: number
  readonly seed: number
}

export const writers = 64

/** Rows that the writers are at, all at the same time. */
const nearRows = 3

/** All writers go through the rows together, so that they meet at each of them. Every second one uses the other instance. */
export async function race({ bases, caller, ids, size, seed }: Race): Promise<readonly Move[]> {
  const moves: Move[] = []
  const writesPerRow = size / ids.length
  let sent = 0

  async function write(writer: number): Promise<void> {
    const random = new Random(seed + writer)
    const base = bases[writer % bases.length] ?? ''
    while (sent < size) {
      const number = sent++
      const near = Array.from(
        { length: nearRows },
        (_, at) => ids[(Math.floor(number / writesPerRow) + at) % ids.length],
      )
      const chosen = near.flatMap((id) => id ?? []).filter(() => random.chance(0.4))
      const some = chosen.length > 0 ? chosen : ids.slice(0, 1)
      const status = random.pick(states)
      const name = `move ${number}`
      const { path, ...init } = requestFor(random, caller, {
        name,
        status,
        ids: random.chance(0.5) ? some : some.toReversed(),
      })
      const answer = await fetch(`${base}/rest/v1/project${path}`, init)
      moves.push({ name, status, ids: init.ids, answer: { status: answer.status, text: await answer.text() } })
    }
  }

  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))
  return moves
}

/** The ways to change a row: PATCH of one or several, upsert of one or several, PUT. */
function requestFor(random: Random, { headers, bid }: Caller, { name, status, ids }: Omit<Move, 'answer'>) {
  const change = { project_name: name, status }
  const whole = ids.map((id) => ({ id, bid_id: bid, ...change }))
  const [first] = whole
  const which = random.next()
  if (which < 0.6 || !first)
    return { path: `?id=in.(${ids})`, method: 'PATCH', headers, body: JSON.stringify(change), ids }
  if (which < 0.8) {
    const merge = { ...headers, Prefer: 'resolution=merge-duplicates' }
    return { path: '', method: 'POST', headers: merge, body: JSON.stringify(whole), ids }
  }
  return { path: `?id=eq.${first.id}`, method: 'PUT', headers, body: JSON.stringify(first), ids: [first.id] }
}

import { isTooBusy, Missed, requireNone } from '../proof.ts'
import type { Caller } from '../stage.ts'
import type { Move } from './movers.ts'
import { initial, isAllowed } from './states.ts'

interface LoggedChange {
  readonly sequence: number
  readonly type: string
  readonly row_id: string
  readonly row: { readonly project_name: string; readonly status: string }
  readonly changed: readonly string[]
  readonly previous: { readonly status?: string } | null
}

/** The whole log of the projects, as an application reads it. */
export async function readLog(base: string, { headers }: Caller): Promise<readonly LoggedChange[]> {
  const all: LoggedChange[] = []
  for (;;) {
    const query = `resource=eq.project&sequence=gt.${all.at(-1)?.sequence ?? 0}&order=sequence&limit=500`
    const answer = await fetch(`${base}/rest/v1/event?${query}&select=sequence,type,row_id,row,changed,previous`, {
      headers,
    })
    if (!answer.ok) throw new Error(await answer.text())
    const page = (await answer.json()) as LoggedChange[]
    if (page.length === 0) return all
    all.push(...page)
  }
}

/** Follows each row through its states, and returns how many transitions there were. */
export function auditChains(log: readonly LoggedChange[], rows: ReadonlyMap<string, string>): number {
  const states = new Map<string, string>()
  const [illegal, torn]: [string[], string[]] = [[], []]
  let transitions = 0
  for (const { type, row_id, row, changed, previous } of log) {
    const from = type === 'project.created' ? initial : (states.get(row_id) ?? 'nothing')
    const seen = changed.includes('status') && type === 'project.updated' ? previous?.status : row.status
    if (from !== row.status) transitions += 1
    if (!isAllowed(from, row.status)) illegal.push(`${row_id} from ${from} to ${row.status} by ${row.project_name}`)
    if (type === 'project.updated' && seen !== from) torn.push(`${row_id}: ${seen} in place of ${from}`)
    states.set(row_id, row.status)
  }
  requireNone('transitions that are not allowed', illegal)
  requireNone('events that do not follow the one before them', torn)
  requireNone(
    'rows in another state than that of their last event',
    [...rows].filter(([id, status]) => states.get(id) !== status),
  )
  return transitions
}

/** Every write that was acknowledged is in the log once for each of its rows, and no other. */
export function auditMoves(log: readonly LoggedChange[], moves: readonly Move[]): { done: number; refused: number } {
  const isRefusal = ({ answer }: Move): boolean =>
    answer.status === 409 && answer.text.includes('transition_not_allowed')
  const done = moves.filter(({ answer }) => answer.status < 300)
  const refused = moves.filter(isRefusal)
  requireNone(
    'other answers',
    moves.filter((move) => move.answer.status >= 300 && !isRefusal(move) && !isUnsure(move)),
  )
  requireNone('refusals of a transition that is allowed', refused.filter(isWrong))
  const logged = new Set(log.map(({ row_id, row }) => `${row_id} ${row.project_name} ${row.status}`))
  const acknowledged = done.flatMap(({ name, status, ids }) => ids.map((id) => `${id} ${name} ${status}`))
  requireNone(
    'acknowledged changes that are not in the log',
    acknowledged.filter((one) => !logged.has(one)),
  )
  // Each of these may be in the log or not.
  const unsure = moves.filter(isUnsure)
  const most = acknowledged.length + unsure.flatMap(({ ids }) => ids).length
  const updates = log.filter(({ type }) => type === 'project.updated').length
  requireNone(
    'changes in the log that were not acknowledged',
    updates >= acknowledged.length && updates <= most ? [] : [`${updates} in place of ${acknowledged.length}`],
  )
  if (unsure[0]) throw new Missed(unsure[0].answer.text)
  return { done: done.length, refused: refused.length }
}

/** One process that stands still makes those of the other wait too long. */
const isUnsure = ({ answer }: Move): boolean => answer.status >= 500 && isTooBusy(answer.text)

/** `"status" cannot change from draft to closed` */
function isWrong({ answer }: Move): boolean {
  const [, from = '', to = ''] = /cannot change from (\w+) to (\w+)/.exec(answer.text) ?? []
  return isAllowed(from, to)
}

import { type Served, startService } from './child.ts'
import { type Pace, type Speed, speedOf } from './compare.ts'
import { type Spread, spreadOf } from './figures.ts'
import { type Load, measure } from './load.ts'
import { findPeers, type Peer } from './peer-servers.ts'
import { type Company, emptyWriter, type Place } from './place.ts'
import { makeSubjects, type Subject } from './subjects.ts'
import { takeTurns } from './turns.ts'

/** The figures of the service and of other programs for the same work. */
export interface Peered {
  readonly subject: string
  readonly title: string
  readonly rounds: number
  readonly service: Speed
  /** `ratio`: of the speed of the service to that of the other program. */
  readonly peers: readonly (Speed & { readonly name: string; readonly ratio: Spread })[]
}

/** Measures the service and the other programs alternately, on the same database of PostgreSQL. */
export async function* comparePeers(place: Place, pace: Pace, ends: AsyncDisposableStack): AsyncGenerator<Peered> {
  const service = await startService(place, ends)
  const peers: Running[] = []
  for (const peer of findPeers()) peers.push({ ...peer, served: await peer.start(place, ends) })
  const subjects = makeSubjects(place).filter(({ name }) => peers.every(({ paths }) => paths[name] !== undefined))
  for (const subject of subjects) {
    const loads = [loadOf(subject, service), ...peers.map((peer) => peerLoad(place, subject, peer))]
    await requireSameRows(subject, loads)
    yield await compareOne({ place, pace, peers }, subject, loads)
  }
  await Promise.all([service, ...peers.map(({ served }) => served)].map((served) => served.stop()))
}

interface Running extends Peer {
  readonly served: Served
}

const loadOf = ({ path, caller, body }: Subject, { base, pid }: Served): Load => ({
  url: base + path,
  caller,
  body,
  pid,
})

function peerLoad(place: Place, subject: Subject, { served, paths, callerOf }: Running): Load {
  const companies: readonly Company[] = [place.small, place.middle, place.writer]
  const company = companies.find(({ caller }) => caller === subject.caller)
  if (!company) throw new Error(`${subject.name} has no company`)
  return {
    url: served.base + paths[subject.name],
    caller: callerOf(company),
    body: subject.body,
    pid: served.pid,
    prefer: 'return=representation',
  }
}

interface Ring {
  readonly place: Place
  readonly pace: Pace
  readonly peers: readonly Running[]
}

async function compareOne({ place, pace, peers }: Ring, subject: Subject, loads: readonly Load[]): Promise<Peered> {
  const { name, title, body } = subject
  for (const load of loads) await measure(load, Math.min(2, pace.seconds))
  const turns = await takeTurns(loads, pace.rounds, async (load) => {
    if (body !== null) await emptyWriter(place)
    return measure(load, pace.seconds)
  })
  const [service, ...others] = loads.map((_, at) => speedOf(turns.map((turn) => turn[at])))
  if (!service) throw new Error('There was no turn')
  return {
    ...{ subject: name, title, rounds: pace.rounds, service },
    peers: others.map((speed, at) => ({
      ...{ name: peers[at]?.name ?? '', ...speed },
      ratio: spreadOf(turns.map((turn) => (turn[0]?.perSecond ?? 0) / (turn[at + 1]?.perSecond ?? 0))),
    })),
  }
}

/** All of them must do the work: the same rows, however times are written. */
async function requireSameRows({ name }: Subject, loads: readonly Load[]): Promise<void> {
  const answers = await Promise.all(loads.map(askOnce))
  const [own, ...others] = answers
  for (const other of others) if (own !== other) throw new Error(`The rows of ${name} differ:\n${own}\n${other}`)
}

async function askOnce({ url, caller, body, prefer }: Load): Promise<string> {
  const headers = { ...caller, 'Content-Type': 'application/json', ...(prefer ? { Prefer: prefer } : {}) }
  const response = await fetch(url, body === null ? { headers } : { method: 'POST', headers, body })
  const text = await response.text()
  if (!response.ok) throw new Error(`${url} answers ${response.status}: ${text}`)
  const rows = [JSON.parse(text)].flat() as readonly Record<string, unknown>[]
  return JSON.stringify(rows.map(({ project_name, bid }) => [project_name, bid]))
}

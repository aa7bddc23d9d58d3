import { treeMb, watchMemory } from '../processes.ts'
import { type Attempt, Broken, type Figures, isTooBusy, Missed, type Proof, requireNone } from '../proof.ts'
import { type Caller, makeStage } from '../stage.ts'
import { startUnread, type UnreadService } from '../unread-service.ts'
import { controls } from './controls.ts'

const clients = 32
const answeredWithinMs = 20_000
const endedWithinMs = 15_000
/** A short run shares the machine with other tests. A service that waits for a reader neither answers nor ends at all. */
const shortWithinMs = 60_000
const shortMax = 5000
const readWithinMs = 60_000
const grownMbMax = 64
/** More lines than fit into a pipe. */
const pipeLines = 2000

export const quietLog: Proof = {
  promise: `A log that nobody reads does not stop the service: every request is answered, memory stays flat, SIGTERM ends the service within ${endedWithinMs / 1000} s, and dropped lines are counted.`,
  attack: `Standard output is a pipe that nobody reads, while ${clients} clients list; then it is read; then SIGTERM while it is full again.`,
  size: { unit: 'requests', short: shortMax, full: { sqlite: 100_000, postgres: 100_000 } },
  isOutside: true,
  run,
  controls,
}

async function run(attempt: Attempt): Promise<Figures> {
  const stage = await makeStage(attempt, ['Acme'])
  const [acme] = stage.callers
  if (!acme) throw new Error('There is no company')
  const isShort = attempt.size <= shortMax
  const service = await startUnread({ ...stage.env, LOG: 'json' })
  const load: Load = { service, caller: acme, isShort }
  attempt.ends.defer(() => service.end())
  // The first tenth finds everything cold, and the memory of the service still grows.
  const warming = Math.ceil(attempt.size / 10)
  await ask(load, warming)
  const settledMb = treeMb(service.pid)
  const memory = watchMemory(service.pid, 100)
  await ask(load, attempt.size - warming)
  const grownMb = memory.stop() - settledMb
  if (grownMb > grownMbMax) throw new Broken(`memory grew by ${grownMb.toFixed()} MB`)
  const { read, dropped } = await readLog(service, attempt.size)
  await ask(load, pipeLines)
  const endedInMs = await stop(service, isShort ? shortWithinMs : endedWithinMs)
  return {
    'requests answered': attempt.size + pipeLines,
    'requests not answered': 0,
    'memory grown by': `${grownMb.toFixed()} MB`,
    'lines read afterwards': read,
    'lines dropped and told': dropped,
    'SIGTERM took': `${endedInMs.toFixed()} ms`,
  }
}

interface Load {
  readonly service: UnreadService
  readonly caller: Caller
  readonly isShort: boolean
}

async function ask({ service, caller, isShort }: Load, count: number): Promise<void> {
  const { headers } = caller
  const failures: string[] = []
  let left = count
  const client = async (): Promise<void> => {
    while (left > 0 && failures.length === 0) {
      left -= 1
      const signal = AbortSignal.timeout(isShort ? shortWithinMs : answeredWithinMs)
      const answer = await fetch(`${service.base}/rest/v1/project?limit=20`, { headers, signal }).catch(String)
      if (typeof answer === 'string') failures.push(answer)
      else if (answer.status !== 200) failures.push(`${answer.status} ${await answer.text()}`)
      else await answer.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  const [first] = failures
  if (isShort && first !== undefined && failures.every(isTooBusy)) throw new Missed(first)
  requireNone('requests not answered', failures)
}

/** Until the lines that came and those that are said to be dropped are as many as there must be. */
async function readLog(service: UnreadService, requests: number): Promise<{ read: number; dropped: number }> {
  const endsAt = performance.now() + readWithinMs
  let text = ''
  for (;;) {
    text += service.readLog()
    const read = text.split('"event":"request"').length - 1
    const dropped = [...text.matchAll(droppedLines)].reduce((sum, [, lines]) => sum + Number(lines), 0)
    if (read + dropped >= requests) return { read, dropped }
    if (performance.now() > endsAt)
      throw new Broken(`lines are missing: of ${requests}, ${read} were written and ${dropped} said to be dropped`)
    await Bun.sleep(100)
  }
}

const droppedLines = /"event":"log_dropped","lines":(\d+)/g

async function stop(service: UnreadService, withinMs: number): Promise<number> {
  const startedAt = performance.now()
  service.kill('SIGTERM')
  const isEnded = await Promise.race([service.ended.then(() => true), Bun.sleep(withinMs).then(() => false)])
  if (!isEnded) throw new Broken(`SIGTERM did not end the service within ${withinMs / 1000} s`)
  return performance.now() - startedAt
}

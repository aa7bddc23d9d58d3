import { join } from 'node:path'
import { startService } from '../../test/support/service.ts'
import { Broken, type Proof } from '../proof.ts'
import { type Caller, makeStage } from '../stage.ts'

const rounds = 10
const clients = 2
const pauseMs = 5
const timesSlowerMax = 3

export const neighbour: Proof = {
  promise: `While one company floods the service, the list of another is at most ${timesSlowerMax} times slower (p99).`,
  attack:
    '64 connections of one company list and create as fast as they are answered, by turns with quiet, while another lists its 20 projects.',
  size: { unit: 'lists', short: null, full: { sqlite: 20_000, postgres: 20_000 } },
  isOutside: true,
  run: async (attempt) => {
    const stage = await makeStage(attempt, ['Flood', 'Quiet'])
    const [loud, quiet] = stage.callers
    if (!loud || !quiet) throw new Error('There is no company')
    const { base } = await startService(stage.env)
    await fill(base, quiet)
    const lists = Math.ceil(attempt.size / rounds / 2)
    // The first ones find everything cold.
    await timeLists(base, quiet, lists)
    const took = { quiet: [] as number[], flooded: [] as number[] }
    // By turns, so that what else the machine does is the same for both.
    for (let round = 0; round < rounds; round += 1) {
      took.quiet.push(...(await timeLists(base, quiet, lists)))
      took.flooded.push(...(await whileFlooded(base, loud, () => timeLists(base, quiet, lists))))
    }
    const figures = { quiet: percentile(took.quiet, 0.99), flooded: percentile(took.flooded, 0.99) }
    const times = figures.flooded / figures.quiet
    const shown = `${figures.flooded.toFixed(2)} ms under the flood, ${figures.quiet.toFixed(2)} ms without`
    if (times > timesSlowerMax) throw new Broken(`${times.toFixed(1)} times slower (p99): ${shown}`)
    return {
      'lists of the other company': took.quiet.length + took.flooded.length,
      'p99 of a list': shown,
      'times slower': Number(times.toFixed(2)),
    }
  },
  controls: [
    {
      breaks: 'nobody is seen to compete, and so nobody has to take turns',
      notices: 'times slower',
      size: 4000,
      file: 'src/traffic/turns.ts',
      text: 'return competingUntil === 0',
      instead: 'return true',
    },
  ],
}

async function fill(base: string, { headers, bid }: Caller): Promise<void> {
  const rows = Array.from({ length: 20 }, (_, at) => ({ bid_id: bid, project_name: `Project ${at}` }))
  const answer = await fetch(`${base}/rest/v1/project`, { method: 'POST', headers, body: JSON.stringify(rows) })
  if (answer.status !== 201) throw new Error(await answer.text())
}

async function timeLists(base: string, { headers }: Caller, count: number): Promise<number[]> {
  const took: number[] = []
  const client = async (): Promise<void> => {
    while (took.length < count) {
      const startedAt = performance.now()
      const answer = await fetch(`${base}/rest/v1/project`, { headers })
      await answer.arrayBuffer()
      if (answer.status !== 200) throw new Broken(`the other company was refused: ${answer.status}`)
      took.push(performance.now() - startedAt)
      await Bun.sleep(pauseMs)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  return took
}

async function whileFlooded<Result>(base: string, loud: Caller, work: () => Promise<Result>): Promise<Result> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'flood.ts')], {
    env: { ...process.env, FLOOD_BASE: base, FLOOD_HEADERS: JSON.stringify(loud.headers), FLOOD_BID: loud.bid },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    await child.stdout.getReader().read()
    return await work()
  } finally {
    child.kill('SIGKILL')
    await child.exited
  }
}

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN
}

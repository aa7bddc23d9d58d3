import { setPriority } from 'node:os'
import { type Flood, floodRequest } from './floods.ts'

/** `bun prove/neighbour/flood.ts`: one company asks as fast as it gets answers, until the process is ended. */
const flood: Flood = JSON.parse(process.env.FLOOD ?? '')
const connections = 64
// What it takes from the service is what counts, not what it takes from the machine that both run on.
setPriority(19)

await Promise.all(Array.from({ length: connections }, (_, number) => ask(number)))

async function ask(number: number): Promise<void> {
  const { url, init } = floodRequest(flood, number)
  for (let count = 0; ; count += 1) {
    const answer = await fetch(url, init).catch(() => null)
    await answer?.arrayBuffer().catch(() => null)
    if (count === 0) console.log('flooding')
  }
}

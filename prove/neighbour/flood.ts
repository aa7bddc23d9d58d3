import { setPriority } from 'node:os'

/** `bun prove/neighbour/flood.ts`: one company asks as fast as it gets answers, until the process is ended. */
const { FLOOD_BASE: base, FLOOD_HEADERS: headersText = '', FLOOD_BID: bid } = process.env
const connections = 64
// What it takes from the service is what counts, not what it takes from the machine that both run on.
setPriority(19)

const headers = JSON.parse(headersText)
const body = JSON.stringify({ bid_id: bid, project_name: 'One of very many' })
await Promise.all(Array.from({ length: connections }, (_, number) => flood(number % 4 === 0)))

async function flood(creates: boolean): Promise<void> {
  const init = creates ? { method: 'POST', headers, body } : { headers }
  for (let count = 0; ; count += 1) {
    const answer = await fetch(`${base}/rest/v1/project?limit=20`, init).catch(() => null)
    await answer?.arrayBuffer()
    if (count === 0) console.log('flooding')
  }
}

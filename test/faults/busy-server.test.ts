import { expect, setDefaultTimeout, test } from 'bun:test'
import { SQL } from 'bun'
import { engines } from '../support/engines.ts'
import { World } from '../support/world.ts'

setDefaultTimeout(300_000)

/** Connections that stand still for so long are suspected to be lost. */
const stillMs = 3500
const writers = 12

/** The processes of the server that serve us, none of which has anything to do. */
async function findIdle(databaseUrl: string): Promise<readonly number[]> {
  await using client = new SQL(databaseUrl, { max: 1 })
  for (;;) {
    const found: { readonly pid: number; readonly state: string }[] = await client`
      select pid, state from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
    if (found.every(({ state }) => state === 'idle')) return found.map(({ pid }) => pid)
  }
}

/** In a service of its own. */
async function changeInNewWorld(): Promise<readonly number[]> {
  const world = new World({})
  const [postgres] = engines.filter(({ name }) => name === 'postgres')
  if (!postgres) throw new Error('There is no PostgreSQL')
  await world.open(postgres)
  try {
    return await changeMeanwhile(world)
  } finally {
    await world.close()
  }
}

/** The answers to changes that are sent while all connections stand still, and to the requests before and after them if these fail. */
async function changeMeanwhile({ acme, rival, databaseUrl }: World): Promise<readonly number[]> {
  const { json: row } = await acme.post('/project', { bid_id: acme.bid, project_name: 'new' })
  const path = `/project?id=eq.${row.id}`
  // Once: what is sent again has not been waited for.
  const change = async (project_name: string) => {
    const body = JSON.stringify({ project_name })
    return (await acme.fetch('PATCH', path, { 'Content-Type': 'application/json' }, body)).status
  }
  // The first times, the same statement opens connections of its own.
  for (let times = 0; times < 4; times += 1) {
    const status = await change('before')
    if (status !== 204) return [status]
  }
  const pids = await findIdle(databaseUrl)
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  const replies = Array.from({ length: writers }, (_, at) => change(`writer ${at}`))
  await Bun.sleep(stillMs)
  for (const pid of pids) process.kill(pid, 'SIGCONT')
  const statuses = await Promise.all(replies)
  const [own, others] = [await acme.get(path), await rival.get(path)]
  const refused = [own.status, others.status].filter((status) => status !== 200)
  if (refused.length > 0) return refused
  expect(own.json[0].project_name).toStartWith(statuses.includes(204) ? 'writer ' : '')
  expect(others.json).toEqual([])
  return statuses
}

test('a server that is too busy to look at what it was sent is waited for', async () => {
  const all = Array.from({ length: writers }, () => 204)
  let statuses = await changeInNewWorld()
  // Where this machine stands still itself for a second more, that was too long.
  for (let tries = 1; tries < 10 && !Bun.deepEquals(statuses, all); tries += 1) statuses = await changeInNewWorld()
  expect(statuses).toEqual(all)
})

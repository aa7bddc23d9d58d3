import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createBid } from '../../src/cli/bid.ts'
import type { Dispatcher } from '../../src/webhooks/dispatch/dispatcher.ts'
import { makeDistributedPlace, type NodeProcess, processOf } from '../support/citus.ts'
import { LiveReader } from '../support/live-reader.ts'
import { until } from '../support/service.ts'
import { World } from '../support/world.ts'
import { dispatch, endpointTo, Receiver } from '../webhooks/support.ts'
import { companyOnEachNode, create, type Placed } from './support.ts'

describe('while a node is away, the events of companies on others', () => {
  const world = new World({})
  const receiver = new Receiver()
  let dispatcher: Dispatcher
  let lost: NodeProcess
  let [onLost, onOther]: Placed[] = []
  let reader: LiveReader

  beforeAll(async () => {
    await world.open({ name: 'postgres', makePlace: makeDistributedPlace })
    ;[onLost, onOther] = await companyOnEachNode(world.db)
    lost = await processOf({ host: '127.0.0.1', port: onLost?.port ?? 0 })
    for (const placed of [onLost, onOther]) await endpointTo(world.db, placed?.id ?? '', receiver.url)
    dispatcher = dispatch(world, { failed: () => {} })
    reader = await LiveReader.open(`${world.base}/rest/v1/project`, onOther?.headers ?? {})
    await arrives(onLost as Placed, 'Before')
  }, 300_000)
  afterAll(async () => {
    reader.close()
    await dispatcher.stop()
    await receiver.stop()
    await world.close()
  }, 300_000)

  async function arrives(placed: Placed, name: string): Promise<void> {
    await until(async () => (await create(world.base, placed, name)).status === 201)
    await until(() => receiver.names.includes(name))
  }

  /** Nobody notes it: it has to be looked for. */
  async function leaveEvent(name: string): Promise<void> {
    await createBid(world.db, onOther?.id ?? '', name)
    const names = async (): Promise<string[]> => {
      const answer = await fetch(`${world.base}/rest/v1/event?type=eq.bid.created`, { headers: onOther?.headers ?? {} })
      return ((await answer.json()) as { row: { bid_name: string } }[]).map(({ row }) => row.bid_name)
    }
    await until(async () => (await names()).includes(name))
    await until(() => receiver.received.some(({ json }) => json.data.row?.bid_name === name))
  }

  async function goesOn(how: string): Promise<void> {
    for (let at = 0; at < 10; at += 1) await arrives(onOther as Placed, `${how} ${at}`)
    await until(() => reader.changes.some(({ data }) => data.row.project_name === `${how} 9`))
    await leaveEvent(`Left while ${how}`)
    expect((await dispatcher.backlog()).pending).toBeGreaterThanOrEqual(0)
  }

  test('are numbered, streamed and delivered: it was killed', async () => {
    await lost.kill()
    try {
      await goesOn('killed')
    } finally {
      await lost.restart()
    }
    await arrives(onLost as Placed, 'Restarted')
  }, 300_000)

  test('are numbered, streamed and delivered: it is silent', async () => {
    lost.hold()
    try {
      const waiting = Array.from({ length: 20 }, (_, at) => create(world.base, onLost as Placed, `Held ${at}`))
      await goesOn('silent')
      lost.release()
      await Promise.all(waiting)
    } finally {
      lost.release()
    }
    await arrives(onLost as Placed, 'Released')
  }, 300_000)
})

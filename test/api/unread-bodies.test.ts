import { afterEach, expect, mock, setDefaultTimeout, spyOn, test } from 'bun:test'
import { onEachEngine } from '../support/engines.ts'
import { type Raw, sendRaw } from '../support/raw.ts'
import { comesWithin, until } from '../support/service.ts'
import type { Tenant } from '../support/world.ts'

setDefaultTimeout(300_000)
afterEach(() => mock.restore())

/** Far more than the kernel takes for a service that does not read. */
const body = Buffer.alloc(64 * 1024 * 1024, ' ')
const takenWithinMs = 60_000

onEachEngine('a body that nobody asked for', (world) => {
  /** Lets the writes of a company begin only when it is told to; how many wait for that. */
  function holdWrites({ id }: Tenant) {
    const rows = world.db.forRows(id)
    const { transactInSteps } = rows
    const released = Promise.withResolvers<void>()
    const held = { count: 0, release: released.resolve }
    spyOn(rows, 'transactInSteps').mockImplementation(async (...given) => {
      held.count += 1
      await released.promise
      return transactInSteps(...given)
    })
    return held
  }

  const deleteWith = (tenant: Tenant, fields: Record<string, string>) =>
    sendRaw(world.base, `DELETE /rest/v1/project?id=eq.${tenant.project}`, { ...tenant.headers, ...fields })

  /** Whether the service has taken all of it, but for what has room on the way. */
  function taken({ socket }: Raw, bytes: Buffer): () => boolean {
    let isWritten = false
    socket.write(bytes, (error) => {
      isWritten = !error
    })
    return () => isWritten
  }

  test('takes no room while a DELETE waits, and the connection serves the next request', async () => {
    const held = holdWrites(world.acme)
    const raw = deleteWith(world.acme, { 'Content-Length': String(body.length) })
    await until(() => held.count === 1)
    const isTaken = await comesWithin(takenWithinMs, taken(raw, body))
    const early = raw.received()
    const beside = await world.rival.delete(`/project?id=eq.${world.rival.id}`)
    held.release()
    expect([isTaken, early, beside.status]).toEqual([true, '', 204])
    await until(() => raw.received().includes('HTTP/1.1 204 '))
    raw.socket.write('GET /health/live HTTP/1.1\r\nHost: test\r\n\r\n')
    await until(() => raw.received().includes('HTTP/1.1 200 '))
    raw.socket.destroy()
    expect((await world.acme.get(`/project?id=eq.${world.acme.project}`)).json).toEqual([])
    expect((await world.rival.get(`/project?id=eq.${world.rival.project}`)).json).toHaveLength(1)
  })

  test('may come in chunks, and may stop where the client goes away', async () => {
    const held = holdWrites(world.rival)
    const raw = deleteWith(world.rival, { 'Transfer-Encoding': 'chunked' })
    await until(() => held.count === 1)
    raw.socket.write(`${body.length.toString(16)}\r\n`)
    const isTaken = await comesWithin(takenWithinMs, taken(raw, body))
    raw.socket.destroy()
    held.release()
    expect(isTaken).toBe(true)
    await until(async () => (await world.rival.get(`/project?id=eq.${world.rival.project}`)).json.length === 0)
    expect((await world.acme.get('/bid')).json).toHaveLength(1)
  })
})

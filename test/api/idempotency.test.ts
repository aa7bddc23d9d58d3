import { expect, spyOn, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { failure } from '../../src/errors/index.ts'
import { sweepOnce } from '../../src/store/execute-once.ts'
import { sql } from '../../src/store/sql.ts'
import { onEachEngine } from '../support/engines.ts'
import type { Reply, Tenant, World } from '../support/world.ts'

const once = (key: string) => ({ 'Idempotency-Key': key })
const essence = ({ status, text, headers }: Reply) => [
  status,
  text,
  headers.get('Location'),
  headers.get('Content-Range'),
]
const bodyOf = ({ bid }: Tenant, project_name = 'Bridge') => ({ bid_id: bid, project_name })

onEachEngine('Idempotency-Key', (world) => {
  const count = async (tenant: Tenant) => (await tenant.get('/project?select=count')).json[0].count

  test('gives the same answer again, byte for byte, and does the work once', async () => {
    const before = await count(world.acme)
    const first = await world.acme.post('/project', bodyOf(world.acme), once('a-1'))
    const second = await world.acme.post('/project', bodyOf(world.acme), once('a-1'))
    expect([first.status, first.headers.get('Idempotent-Replayed')]).toEqual([201, null])
    expect(second.headers.get('Idempotent-Replayed')).toBe('true')
    expect(essence(second)).toEqual(essence(first))
    expect(await count(world.acme)).toBe(before + 1)
  })

  test('gives the answer of a first attempt that was done and lost, also where the right has ended since', async () => {
    const { acme, db } = world
    const own = db.forRows(acme.id)
    const write = own.transactInSteps
    const attempts = spyOn(own, 'transactInSteps')
    attempts.mockImplementationOnce(async (work) => {
      await write(work)
      throw failure.outcomeUnknown(new Error('lost'))
    })
    attempts.mockImplementation(() => Promise.reject(failure.keyInvalid()))
    const { status, headers } = await acme.post('/project', bodyOf(acme, 'Lost'), once('lost-1'))
    attempts.mockRestore()
    expect([status, headers.get('Idempotent-Replayed')]).toEqual([201, null])
    expect((await acme.get('/project?project_name=eq.Lost')).json).toHaveLength(1)
    expect((await world.rival.get('/project?project_name=eq.Lost')).json).toEqual([])
  })

  test('takes the same path: each of its stages is timed once, and also where it is a repeat', async () => {
    const send = () => world.acme.post('/project', bodyOf(world.acme), once('timed-1'))
    for (const { headers } of [await send(), await send()])
      expect(headers.get('Server-Timing')?.replace(/;dur=[\d.]+/g, '')).toBe('auth, parse, plan, store, respond')
  })

  test('is the same with quotes and without', async () => {
    const first = await world.acme.post('/project', bodyOf(world.acme), once('"quoted-1"'))
    const second = await world.acme.post('/project', bodyOf(world.acme), once('quoted-1'))
    expect(second.json).toEqual(first.json)
  })

  test('refuses another body, another path and another method under the same key', async () => {
    await world.acme.post('/project', bodyOf(world.acme), once('reused-1'))
    const others = [
      () => world.acme.post('/project', bodyOf(world.acme, 'Dam'), once('reused-1')),
      () => world.acme.post('/bid', { bid_name: 'x' }, once('reused-1')),
      () => world.acme.patch(`/project?id=eq.${world.acme.project}`, { project_name: 'x' }, once('reused-1')),
    ]
    for (const send of others) {
      const { status, json } = await send()
      expect([status, json.code]).toEqual([422, 'idempotency_key_reused'])
    }
  })

  test('refuses another time zone under the same key, and repeats the answer for the same one', async () => {
    const send = (key: string, prefer?: string) =>
      world.acme.post('/project', bodyOf(world.acme), { ...once(key), ...(prefer && { Prefer: prefer }) })
    await send('zone-1', 'timezone=Europe/Berlin')
    expect((await send('zone-1', 'timezone=Europe/Berlin')).headers.get('Idempotent-Replayed')).toBe('true')
    for (const prefer of ['timezone=Asia/Kolkata', undefined]) {
      const { status, json } = await send('zone-1', prefer)
      expect([status, json.code]).toEqual([422, 'idempotency_key_reused'])
    }
  })

  test('covers PATCH and DELETE', async () => {
    const [id] = await world.acme.seed(['To be changed'])
    const path = `/project?id=eq.${id}`
    const change = () =>
      world.acme.patch(path, { project_name: 'Changed' }, { ...once('patch-1'), Prefer: 'return=representation' })
    expect(essence(await change())).toEqual(essence(await change()))
    const remove = () => world.acme.delete(path, { ...once('delete-1'), Prefer: 'count=exact' })
    const [first, second] = [await remove(), await remove()]
    expect(essence(second)).toEqual(essence(first))
    expect(first.headers.get('Content-Range')).toBe('*/1')
  })

  test('does not remember a failure', async () => {
    const bad = await world.acme.post('/project', bodyOf(world.rival), once('retry-1'))
    expect(bad.status).toBe(409)
    const good = await world.acme.post('/project', bodyOf(world.acme), once('retry-1'))
    expect(good.status).toBe(201)
  })

  test('does the work once however many send it at the same time', async () => {
    const before = await count(world.acme)
    const send = async (): Promise<Reply> => {
      const reply = await world.acme.post('/project', bodyOf(world.acme), once('parallel-1'))
      // On PostgreSQL, two seconds are waited for whoever was first.
      return reply.json.code === 'idempotency_in_progress' ? send() : reply
    }
    const sent = Array.from({ length: 20 }, send)
    const replies = await Promise.all(sent)
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
    expect(await count(world.acme)).toBe(before + 1)
  })

  test('belongs to one company: another may use the same key', async () => {
    const ours = await world.acme.post('/project', bodyOf(world.acme), once('shared-1'))
    const theirs = await world.rival.post('/project', bodyOf(world.rival), once('shared-1'))
    expect([theirs.status, theirs.headers.get('Idempotent-Replayed')]).toEqual([201, null])
    expect(theirs.json.id).not.toBe(ours.json.id)
  })

  test('is forgotten after a day', async () => {
    const first = await world.acme.post('/project', bodyOf(world.acme), once('old-1'))
    const yesterday = new Date(Date.now() - 25 * 3_600_000).toISOString().replace('Z', '+00:00')
    await world.db.transact([sql`update idempotency set created_at = ${yesterday} where key = ${'old-1'}`])
    const second = await world.acme.post('/project', bodyOf(world.acme), once('old-1'))
    expect([second.status, second.json.id === first.json.id]).toEqual([201, false])
  })

  test('must be 1 to 255 visible characters', async () => {
    for (const key of ['""', 'with blank', 'x'.repeat(256), 'é']) {
      const { status, json } = await world.acme.post('/project', bodyOf(world.acme), once(key))
      expect([status, json.code]).toEqual([400, 'invalid_idempotency_key'])
    }
    expect((await world.acme.get('/project?limit=1', once('""'))).status).toBe(200)
  })
})

/** A text that takes as many bytes wherever it is stored. */
const noise = (bytes: number): string => randomBytes(bytes).toString('base64').slice(0, bytes)

/** A record as it is after so many hours. */
const record = ({ id }: Tenant, key: string, { hours = 0, body = '' }) => {
  const createdAt = new Date(Date.now() - hours * 3_600_000).toISOString().replace('Z', '+00:00')
  return sql`insert into idempotency (company_id, key, fingerprint, status, headers, body, created_at)
             values (${id}, ${key}, 'x', 201, '{}', ${body}, ${createdAt})`
}

const keysOf = async ({ db }: World, { id }: Tenant): Promise<string[]> =>
  (await db.read(sql`select key from idempotency where company_id = ${id} order by key`)).flat().map(String)

onEachEngine('the records of Idempotency-Key', (world) => {
  const megabyte = 1_048_576
  const whole = { Prefer: 'return=representation' }
  const count = async (tenant: Tenant) => (await tenant.get('/project?select=count')).json[0].count
  /** Rows that make an answer of about 400 bytes each. */
  const rows = (tenant: Tenant, many: number) => Array.from({ length: many }, () => bodyOf(tenant, 'x'.repeat(250)))

  test('refuse an answer that is too large to keep, and nothing is written', async () => {
    const before = await count(world.acme)
    const refused = await world.acme.post('/project', rows(world.acme, 3000), { ...once('large-1'), ...whole })
    expect([refused.status, refused.json.code]).toEqual([400, 'idempotent_answer_too_large'])
    expect(refused.json.hint).toContain('return=minimal')
    expect(await count(world.acme)).toBe(before)
    const minimal = { ...once('large-1'), Prefer: 'return=minimal' }
    expect((await world.acme.post('/project', rows(world.acme, 3000), minimal)).status).toBe(201)
    expect(await count(world.acme)).toBe(before + 3000)
  }, 300_000)

  test('take 64 MiB of one company, after which others and repeats go on', async () => {
    // A company of which this process has seen no key yet.
    const { rival } = world
    const filling = Array.from({ length: 63 }, (_, at) => record(rival, `full-${at}`, { body: 'x'.repeat(megabyte) }))
    for (const one of filling) await world.db.transact([one])
    const kept = await rival.post('/project', bodyOf(rival), once('kept'))
    expect(kept.status).toBe(201)
    const large = (key: string) => rival.post('/project', rows(rival, 1500), { ...once(key), ...whole })
    expect((await large('fits')).status).toBe(201)
    const before = await count(rival)
    const refused = await large('full')
    expect([refused.status, refused.json.code]).toEqual([429, 'idempotency_full'])
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0)
    expect(await count(rival)).toBe(before)
    expect(await keysOf(world, rival)).not.toContain('full')
    expect(essence(await rival.post('/project', bodyOf(rival), once('kept')))).toEqual(essence(kept))
    expect((await rival.post('/project', bodyOf(rival))).status).toBe(201)
    expect((await rival.post('/project', bodyOf(rival), once('little'))).status).toBe(201)
    expect((await world.acme.post('/project', rows(world.acme, 1500), { ...once('other'), ...whole })).status).toBe(201)
  }, 300_000)

  test('are forgotten some at a time by requests, and all by the sweep', async () => {
    const { acme, rival } = world
    const old = Array.from({ length: 450 }, (_, at) => record(acme, `old-${at}`, { hours: 30 }))
    // The youngest of those that have ended is the one that is used again.
    await world.db.transact([...old, record(acme, 'again', { hours: 25 }), record(rival, 'old', { hours: 30 })])
    const oldOf = async (tenant: Tenant) => (await keysOf(world, tenant)).filter((key) => key.startsWith('old')).length
    expect((await acme.post('/project', bodyOf(acme), once('again'))).status).toBe(201)
    expect([await oldOf(acme), await oldOf(rival)]).toEqual([448, 1])
    const live = (await keysOf(world, acme)).filter((key) => !key.startsWith('old'))
    await sweepOnce(world.db)
    expect(await keysOf(world, acme)).toEqual(live)
    expect(live).toContain('again')
    expect(await oldOf(rival)).toBe(0)
  })

  test('are forgotten by requests and by the sweep in parts of about a megabyte', async () => {
    const { acme, rival, db } = world
    const old = Array.from({ length: 12 }, (_, at) => at).flatMap((at) =>
      [acme, rival].map((tenant) => record(tenant, `big-${at}`, { hours: 30, body: noise(300 * 1024) })),
    )
    for (const one of old) await db.transact([one])
    const left = async (tenant: Tenant) => (await keysOf(world, tenant)).filter((key) => key.startsWith('big-')).length
    expect((await acme.post('/project', bodyOf(acme), once('beside-big'))).status).toBe(201)
    expect([await left(acme), await left(rival)]).toEqual([10, 12])
    const own = db.forRows(acme.id)
    const parts: number[] = []
    const transact = own.transact
    const watched = spyOn(own, 'transact').mockImplementation(async (...sent) => {
      const found = await transact(...sent)
      parts.push(found[0]?.length ?? 0)
      return found
    })
    await sweepOnce(db)
    watched.mockRestore()
    expect(parts).toEqual([2, 4, 4, 0])
    expect([await left(acme), await left(rival)]).toEqual([0, 0])
    expect(await keysOf(world, acme)).toContain('beside-big')
  })
})

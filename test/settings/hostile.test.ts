import { expect, spyOn, test } from 'bun:test'
import { connect } from 'node:net'
import { sql } from '../../src/store/sql.ts'
import { onEachEngine } from '../support/engines.ts'
import { growthOf } from '../support/growth.ts'
import { replyOf } from '../support/world.ts'
import { behindProxy, password, signedIn } from './support.ts'

onEachEngine(
  'a hostile visitor of the settings page',
  (world) => {
    const send = async (path: string, body: string) => {
      const headers = { Origin: world.base, 'Content-Type': 'application/json', 'X-Forwarded-For': '203.0.113.9' }
      return replyOf(await fetch(`${world.base}/api/auth${path}`, { method: 'POST', headers, body }))
    }

    test('learns from an empty password as little as from a wrong one', async () => {
      const owner = await signedIn(world, world.acme.id, 'owner')
      const { person } = (await owner.get('/session')).json
      const known = await send('/sign-in/email', JSON.stringify({ email: person.email, password: '' }))
      const unknown = await send('/sign-in/email', JSON.stringify({ email: 'nobody@example.com', password: '' }))
      expect([unknown.status, unknown.json.code]).toEqual([known.status, known.json.code])
      expect(unknown.status).toBeLessThan(500)
    })

    test('stops nobody with a body that is deeply nested', async () => {
      const signOut = async (depth: number) => {
        const { status } = await send('/sign-out', `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`)
        expect(status).toBeLessThan(500)
      }
      expect(await growthOf(7500, signOut)).toBeLessThan(8)
    })

    test('has no more kept of a name of a browser than one can read', async () => {
      const owner = await signedIn(world, world.acme.id, 'owner')
      const { person } = (await owner.get('/session')).json
      const long = { 'User-Agent': `Mozilla ${'x'.repeat(20_000)}` }
      await owner.post('/auth/sign-in/email', { email: person.email, password }, long)
      await owner.patch('/company', { name: 'Renamed' }, long)
      const kept = [
        ...(await world.db.read(sql`select user_agent from session`)),
        ...(await world.db.read(sql`select user_agent from audit_event`)),
      ].map(([agent]) => String(agent ?? ''))
      expect(kept.filter((agent) => agent.startsWith('Mozilla ')).map(({ length }) => length)).toEqual([200, 200])
      expect(Math.max(...kept.map(({ length }) => length))).toBe(200)
    })

    const signOut = (headers: Record<string, string>) =>
      fetch(`${world.base}/api/auth/sign-out`, {
        method: 'POST',
        headers: { Origin: world.base, 'Content-Type': 'application/json', ...headers },
        body: '{}',
      })

    test('stops nobody with the name of an origin that has thousands of parts', async () => {
      const refused = async (parts: number) => {
        expect((await signOut({ Origin: `http://${'ä.'.repeat(parts)}` })).status).toBe(403)
      }
      expect(await growthOf(15_000, refused)).toBeLessThan(8)
    })

    test('has no cookies read that are not ours, nor thousands of ours', async () => {
      const owner = await signedIn(world, world.acme.id, 'owner')
      const decoded = spyOn(globalThis, 'decodeURIComponent')
      const readWith = async (cookies: string) => {
        decoded.mockClear()
        expect((await signOut({ Cookie: cookies })).status).toBe(200)
        return decoded.mock.calls.length
      }
      for (const name of ['a', 'project-api.a']) {
        const many = `${name}=%;`.repeat(100_000 / (name.length + 3))
        expect(await readWith(many)).toBeLessThan(1000)
      }
      decoded.mockRestore()
      // Ours are found among those of others.
      expect((await signOut({ Cookie: `${'a=%;'.repeat(1000)} ${owner.cookie}` })).status).toBe(200)
      expect((await owner.get('/session')).status).toBe(401)
    })

    /** Sent as it is written: `fetch` would mend the Host header. */
    const sendRaw = (lines: readonly string[], body = ''): Promise<string> =>
      new Promise((resolve, reject) => {
        const { hostname, port } = new URL(world.base)
        const head = [...lines, `Content-Length: ${body.length}`, 'Connection: close'].join('\r\n')
        let answer = ''
        const socket = connect(Number(port), hostname, () => socket.write(`${head}\r\n\r\n${body}`))
        socket.on('data', (part) => {
          answer += part.toString('latin1')
        })
        socket.on('error', reject).on('close', () => resolve(answer))
      })

    for (const host of ['', 'a/b?c', '[::1', 'é']) {
      test(`gets no failure of ours by the Host "${host}"`, async () => {
        const owner = await signedIn(world, world.acme.id, 'owner')
        const fields = [
          `Host: ${host}`,
          `Cookie: ${owner.cookie}`,
          `Origin: ${world.base}`,
          'X-Forwarded-For: 203.0.113.8',
        ]
        expect(await sendRaw(['GET /api/activity?limit=1 HTTP/1.1', ...fields])).toStartWith('HTTP/1.1 200 ')
        const json = [...fields, 'Content-Type: application/json']
        expect(await sendRaw(['POST /api/auth/sign-out HTTP/1.1', ...json], '{}')).toStartWith('HTTP/1.1 200 ')
      })
    }

    test('has no name of a host read that no host can have', async () => {
      const read = spyOn(URL, 'canParse')
      const host = `Host: ${'%C3%A4.'.repeat(18_000)}`
      const fields = [host, `Origin: ${world.base}`, 'Content-Type: application/json', 'X-Forwarded-For: 203.0.113.8']
      expect(await sendRaw(['POST /api/auth/sign-out HTTP/1.1', ...fields], '{}')).toStartWith('HTTP/1.1 200 ')
      const longest = Math.max(...read.mock.calls.map(([text]) => String(text).length))
      read.mockRestore()
      expect(longest).toBeLessThan(1000)
    })

    test('comes back by no invitation of their own after they were removed', async () => {
      const owner = await signedIn(world, world.acme.id, 'owner')
      const other = await signedIn(world, world.acme.id, 'owner')
      const { json: invited } = await other.post('/invitations', { email: 'alt@example.com', role: 'owner' })
      const { json: session } = await other.get('/session')
      expect((await owner.delete(`/members/${session.person.id}`)).status).toBe(204)
      const token = String(invited.link).split('/').at(-1)
      expect((await replyOf(await fetch(`${world.base}/api/invitation/${token}`))).status).toBe(404)
    })
  },
  behindProxy,
)

import { afterAll, afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { Webhook } from 'standardwebhooks'
import { runProgram } from '../support/command.ts'
import { engines, type Place } from '../support/engines.ts'
import { scrape, total } from '../support/metrics.ts'
import { endAll, type Service, startCli, startService } from '../support/service.ts'
import { Receiver, until } from '../webhooks/support.ts'

setDefaultTimeout(300_000)
afterAll(endAll)

for (const engine of engines) {
  describe(`webhooks on the command line (${engine.name})`, () => {
    let place: Place
    let service: Service
    let receiver: Receiver
    let env: Record<string, string>
    let keys: { readonly api_key: string; readonly api_secret: string }
    let bid_id = ''

    beforeEach(async () => {
      place = await engine.makePlace()
      receiver = new Receiver()
      env = {
        DATABASE_URL: place.url,
        WEBHOOK_LOOPBACK: 'on',
        AUTH_SECRET: 'a secret of thirty-two characters!',
        DEMO: 'off',
      }
      service = await startService({ ...env, ADMIN_PORT: '0' })
      for (const name of ['Acme', 'Rival']) await run('company', 'create', name)
      keys = await run('credential', 'create', '--company', 'Acme', '--name', 'app')
      bid_id = (await run('bid', 'create', '--company', 'Acme', '--name', 'Bridge')).id
    })
    afterEach(async () => {
      await service.stop()
      await receiver.stop()
      await place.remove()
    })

    const run = async (...args: string[]) => {
      const { exitCode, stdout, stderr } = await runProgram([...args, '--json'], env)
      if (exitCode !== 0) throw new Error(`${args.join(' ')} ended with ${exitCode}: ${stderr || stdout}`)
      return JSON.parse(stdout)
    }
    const create = (project_name: string) =>
      fetch(`${service.base}/rest/v1/project`, {
        method: 'POST',
        headers: { apikey: keys.api_key, 'X-API-Secret': keys.api_secret, 'Content-Type': 'application/json' },
        body: JSON.stringify({ bid_id, project_name }),
      })

    test('are created, tested, replayed, rotated, disabled, enabled and deleted', async () => {
      const made = await run(
        'webhook',
        'create',
        '--company',
        'Acme',
        '--url',
        receiver.url,
        '--types',
        'project.created',
      )
      expect(Object.keys(made)).toEqual(['id', 'url', 'secret'])
      expect((await create('Arch')).status).toBe(201)
      await until(() => receiver.received.length === 1)
      const [got] = receiver.received
      expect(new Webhook(made.secret).verify(got?.text ?? '', got?.headers ?? {})).toMatchObject({
        type: 'project.created',
        data: { row: { project_name: 'Arch' } },
      })
      expect(await run('webhook', 'list', '--company', 'Acme')).toMatchObject([
        { id: made.id, types: ['project.created'] },
      ])
      expect(await run('webhook', 'list', '--company', 'Rival')).toEqual([])
      expect(await run('webhook', 'test', made.id)).toMatchObject({ status: 200, answer: 'ok' })
      await run('webhook', 'replay', made.id, '--since', '1h')
      await until(() => receiver.names.filter((name) => name === 'Arch').length === 2)
      await run('webhook', 'replay', made.id, '--event', got?.headers['webhook-id'] ?? '')
      await until(() => receiver.names.filter((name) => name === 'Arch').length === 3)
      const { secret } = await run('webhook', 'rotate', made.id, '--grace', '0')
      await run('webhook', 'disable', made.id)
      await create('While disabled')
      await run('webhook', 'enable', made.id)
      await until(() => receiver.names.at(-1) === 'While disabled')
      const last = receiver.received.at(-1)
      expect(() => new Webhook(secret).verify(last?.text ?? '', last?.headers ?? {})).not.toThrow()
      // What was received is recorded a moment later.
      await until(async () => total(await scrape(service), 'project_api_webhook_backlog') === 0)
      const outcome = { outcome: 'delivered' }
      expect(total(await scrape(service), 'project_api_webhook_attempts_total', outcome)).toBeGreaterThan(2)
      await run('webhook', 'delete', made.id)
      expect(await run('webhook', 'list')).toEqual([])
    })

    test('are refused with what is wrong', async () => {
      const refused = async (...args: string[]) => {
        const { exitCode, stderr } = await runProgram(args, { ...env, WEBHOOK_LOOPBACK: 'off' })
        return [exitCode, stderr.trim()]
      }
      const create = ['webhook', 'create', '--company', 'Acme', '--url']
      expect(await refused(...create, receiver.url)).toEqual([
        1,
        'Nothing can be sent to this URL. It does not begin with https://. Use the https URL of a server that is reachable from the internet.',
      ])
      expect((await refused(...create, 'https://example.com', '--types', 'x'))[0]).toBe(1)
      expect((await refused('webhook', 'test', 'x'))[1]).toBe('There is no webhook "x". "webhook list" shows them.')
      expect((await refused('webhook', 'replay', 'x'))[0]).toBe(2)
    })

    test('are forwarded to this machine for development', async () => {
      const args = [
        'webhook',
        'listen',
        '--forward-to',
        receiver.url,
        '--company',
        'Acme',
        '--filter',
        'project_name=like.A*',
      ]
      const listening = startCli(args, { ...env, WEBHOOK_LOOPBACK: 'off' })
      await until(() => listening.stdout.includes('whsec_'))
      const [secret = ''] = /whsec_\S+/.exec(listening.stdout) ?? []
      await create('Bridge')
      await create('Arch')
      await until(() => receiver.received.length > 0)
      const [got] = receiver.received
      expect(new Webhook(secret).verify(got?.text ?? '', got?.headers ?? {})).toMatchObject({
        data: { row: { project_name: 'Arch' } },
      })
      listening.kill('SIGTERM')
      expect(await listening.ended).toBe(0)
      expect(listening.stdout).toContain('→ 200')
    })
  })
}

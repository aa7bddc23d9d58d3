import { beforeAll, expect, test } from 'bun:test'
import { printable } from '../../src/people/printable.ts'
import { sql } from '../../src/store/sql.ts'
import { runHere } from '../support/command.ts'
import { onEachEngine } from '../support/engines.ts'
import { type Browser, behindProxy, newEmail, outcome, password, signedIn, visit } from './support.ts'

const clearScreen = '\u001b[2J'
/** An escape, a line break, one of the C1 controls, a line separator, and two that turn the direction of text. */
const hostile = ['\u001b[31mred', 'two\nlines', 'a\u009bb', 'a\u2028b', 'a\u202eb', 'a\u2066b']

test('a text is shown with what a terminal would obey spelled out', () => {
  expect(printable(`a${clearScreen}b\n\u202e é 日本 🙂`)).toBe('a\\u001b[2Jb\\u000a\\u202e é 日本 🙂')
})

onEachEngine(
  'a name that holds control characters',
  (world) => {
    let owner: Browser
    beforeAll(async () => {
      owner = await signedIn(world, world.acme.id, 'owner')
    })
    const run = (...args: string[]) => runHere(args, { DATABASE_URL: world.databaseUrl })

    test('is refused on the settings page, for people, companies and credentials', async () => {
      const at = `/credentials/${world.acme.credentialId}`
      for (const name of hostile) {
        const replies = [
          await owner.patch('/company', { name }),
          await owner.post('/company', { name }),
          await owner.post('/credentials', { name, access: 'read' }),
          await owner.patch(at, { name }),
          await visit(world).post('/auth/sign-up/email', { name, email: newEmail(), password }),
        ]
        for (const reply of replies) expect([name, ...outcome(reply)]).toEqual([name, 400, 'invalid_settings_body'])
        expect(replies[0]?.json.hint).toContain('name')
      }
      expect((await owner.patch(at, { name: 'Größe 日本 🙂' })).status).toBe(200)
    })

    test('is refused on the command line', async () => {
      const attempts = [
        ['company', 'create', `x${clearScreen}`],
        ['credential', 'create', '--company', 'Acme', '--name', `x${clearScreen}`],
        ['user', 'create', '--email', newEmail(), '--name', `x${clearScreen}`],
      ]
      for (const args of attempts) {
        const { exitCode, stdout, stderr } = await run(...args)
        expect(exitCode).toBeGreaterThan(0)
        expect(stdout + stderr).not.toContain('\u001b')
      }
    }, 300_000)

    test('reaches no terminal, where it is older than the rule, and stays whole in JSON', async () => {
      const name = `Old${clearScreen}\nName`
      await world.db.transact([
        sql`update company set name = ${name} where id = ${world.rival.id}`,
        sql`update credential set name = ${name} where id = ${world.rival.credentialId}`,
      ])
      await world.rival.post('/bid', { bid_name: name })
      const { id } = world.rival
      const commands = [
        ['company', 'list'],
        ['credential', 'list'],
        ['credential', 'create', '--company', id, '--name', 'New'],
        ['credential', 'rotate', world.rival.credentialId],
        ['bid', 'list', '--company', id],
        ['bid', 'create', '--company', id, '--name', name],
      ]
      for (const args of commands) {
        const { exitCode, stdout } = await run(...args)
        expect([args[0], exitCode, stdout.includes('\u001b')]).toEqual([args[0], 0, false])
        expect(stdout).toContain('Old\\u001b[2J\\u000aName')
      }
      const unknown = await run('bid', 'list', '--company', `${clearScreen}nobody`)
      expect(unknown.stderr).toContain('\\u001b[2Jnobody')
      const listed = JSON.parse((await run('company', 'list', '--json')).stdout)
      expect(listed.map((one: { name: string }) => one.name)).toContain(name)
    }, 300_000)
  },
  { ...behindProxy, SIGNUP: 'open' },
)

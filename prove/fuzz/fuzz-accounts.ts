import type { Random } from '../random.ts'
import { type Sent, sound } from './fuzz-request.ts'
import type { Account } from './fuzz-settings.ts'
import { closedUrl } from './fuzz-webhooks.ts'

/** Fewer than one session may send in a minute. */
const usesMax = 1100
const uuids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

type Ask = (sent: Sent) => Promise<string>

/** People who are signed in. Requests sign some of them out, or out of their company; new ones take their place. */
export class Accounts {
  private readonly known: Account[] = []
  private made = 0

  constructor(
    private readonly random: Random,
    private readonly ask: Ask,
  ) {}

  async fill(count: number): Promise<void> {
    for (let at = 0; at < count; at += 1) this.known.push(await this.make())
  }

  /** null where all of them are being replaced. */
  pick(): Account | null {
    return this.random.pick(this.known) ?? null
  }

  /** Takes note of how a request with this session went. A company that has grown large is left, too. */
  async used(account: Account, isRefused: boolean): Promise<void> {
    account.uses += 1
    const at = this.known.indexOf(account)
    if (at < 0 || !(isRefused || account.uses > usesMax)) return
    // Others go on while the new one is made, which takes a while.
    this.known.splice(at, 1)
    this.known.push(await this.make())
  }

  private async make(): Promise<Account> {
    this.made += 1
    const email = `fuzz${this.made}@example.com`
    const answer = await this.post('/api/auth/sign-up/email', '', {
      name: 'Fuzz',
      email,
      password: 'correct horse battery',
    })
    const cookie = /\r\nset-cookie: ([^;\r]*session_token=[^;\r]+)/i.exec(answer)?.[1]
    if (!cookie) throw new Error(`Cannot sign up: ${answer.slice(0, 1000)}`)
    const answers = [
      await this.post('/api/company', cookie, { name: 'Fuzz' }),
      await this.post('/api/credentials', cookie, { name: 'one', access: 'read' }),
      await this.post('/api/credentials', cookie, { name: 'two', access: 'read-write' }),
      await this.post('/api/invitations', cookie, { email: 'guest@example.com', role: 'viewer' }),
      await this.post('/api/fields', cookie, {
        resource: 'project',
        name: 'status',
        type: 'choice',
        choices: ['a', 'b'],
      }),
      await this.post('/api/fields', cookie, { resource: 'bid', name: 'amount', type: 'decimal', indexed: true }),
      await this.post('/api/webhooks', cookie, { url: closedUrl }),
    ]
    return { cookie, email, ids: [...new Set(answers.join('\n').match(uuids) ?? [])], uses: 0 }
  }

  /** From an address of its own, so that the limit of attempts is not met. */
  private post(target: string, cookie: string, body: object): Promise<string> {
    const address = `172.${16 + (this.made >> 16)}.${(this.made >> 8) & 255}.${this.made & 255}`
    const fields = [
      ['Origin', 'http://fuzz'],
      ['Content-Type', 'application/json'],
      ['X-Forwarded-For', address],
      ['Cookie', cookie],
    ] as const
    return this.ask(sound({ method: 'POST', target, fields, body: JSON.stringify(body) }))
  }
}

import { Random } from '../random.ts'
import { Accounts } from './fuzz-accounts.ts'
import { type Callers, credentialFields, fieldsOf, tidying } from './fuzz-callers.ts'
import { mcpRequest } from './fuzz-mcp.ts'
import { type Parts, type Sent, sound, unsound } from './fuzz-request.ts'
import { type Described, operationsOf, restRequest } from './fuzz-rest.ts'
import { type Account, pageFields, settingsRequest } from './fuzz-settings.ts'
import { Tally } from './fuzz-tally.ts'
import { type Outcome, Wire } from './fuzz-wire.ts'

const soundWires = 48
const rawWires = 12
/** To sign somebody up takes as long as a thousand other requests. */
const requestsForEach = 1500
const accountsMax = 6
const patienceMs = 250
const waitingMax = 3000
const tidyEvery = 3000
const faultsMax = 10

/** Requests over many connections at once: most are HTTP as it should be, and wait for their answer. */
export class Attack {
  readonly tally = new Tally()
  sent = 0
  private readonly random: Random
  private readonly raw: Random
  private readonly port: number
  private readonly accounts: Accounts
  private operations: ReturnType<typeof operationsOf> = []
  private readonly waiting = new Set<Promise<void>>()

  constructor(
    private readonly callers: Callers,
    private readonly base: URL,
    private readonly options: { readonly seed: number; readonly closedMs: number; readonly answerMs: number },
  ) {
    const { seed } = options
    this.port = Number(base.port)
    this.random = new Random(seed)
    this.raw = new Random(seed + 1)
    this.accounts = new Accounts(new Random(seed + 2), (sent) => this.ask(sent))
  }

  async run(size: number): Promise<void> {
    const headers = Object.fromEntries(fieldsOf(this.callers.writers[0]))
    const document = await fetch(new URL('/rest/v1/', this.base), { headers })
    this.operations = operationsOf((await document.json()) as Described)
    await this.tidy()
    await this.accounts.fill(Math.min(accountsMax, Math.ceil(size / requestsForEach)))
    const wires = [
      ...Array.from({ length: soundWires }, () => this.work(size, (wire) => this.sendSound(wire))),
      ...Array.from({ length: rawWires }, () => this.work(size, (wire) => this.sendRaw(wire))),
    ]
    await Promise.all(wires)
  }

  /** Until the last connection on which nothing more came is closed. */
  async settle(): Promise<void> {
    await Promise.all(this.waiting)
  }

  private async work(size: number, send: (wire: Wire) => Promise<Wire>): Promise<void> {
    let wire = new Wire(this.port)
    while (this.sent < size && this.tally.faults.length < faultsMax) {
      this.sent += 1
      if (this.sent % tidyEvery === 0) await this.tidy()
      wire = await send(wire)
    }
    wire.close()
  }

  private async sendSound(wire: Wire): Promise<Wire> {
    const account = this.random.chance(0.9) ? this.accounts.pick() : null
    const { parts, isSettings } = this.parts(this.random, account)
    const sent = sound(parts)
    const outcome = await this.deliver(wire, sent)
    this.tally.take(sent, outcome)
    const isOwn = isSettings && account && parts.fields.some(([, value]) => value === account.cookie)
    if (isOwn) await this.accounts.used(account, outcome.kind === 'answer' && outcome.status === 401)
    return wire
  }

  /** The server may have closed an idle connection just as we took it up again: what counts is a new one. */
  private async deliver(wire: Wire, sent: Sent): Promise<Outcome> {
    const { answerMs } = this.options
    const outcome = await wire.send(sent, answerMs)
    return outcome.kind === 'closed' ? wire.send(sent, answerMs) : outcome
  }

  /** Half a request is waited for, rightly, but not for ever. */
  private async sendRaw(wire: Wire): Promise<Wire> {
    const sent = unsound(this.raw, this.parts(this.raw, this.accounts.pick()).parts)
    const outcome = await wire.send(sent, patienceMs)
    this.tally.take(sent, outcome)
    if (outcome.kind !== 'silent') return wire
    const ended = wire.endsWithin(this.options.closedMs).then((isEnded) => {
      if (!isEnded) this.tally.fault('neither answered nor closed', sent)
      this.waiting.delete(ended)
    })
    this.waiting.add(ended)
    if (this.waiting.size > waitingMax) await Promise.race(this.waiting)
    return new Wire(this.port)
  }

  private parts(random: Random, account: Account | null): { readonly parts: Parts; readonly isSettings: boolean } {
    const which = random.next()
    if (which < 0.17) return { parts: settingsRequest(random, account), isSettings: true }
    const isSettings = which < 0.27
    const parts = which < 0.3 && !isSettings ? mcpRequest(random) : this.restParts(random, isSettings)
    const fields = isSettings ? pageFields(random, account) : credentialFields(random, this.callers)
    return { parts: { ...parts, fields: [...fields, ...parts.fields] }, isSettings }
  }

  private restParts(random: Random, isSettings: boolean): Parts {
    return restRequest(random, this.operations, isSettings ? '/api/rest' : '/rest/v1')
  }

  private async tidy(): Promise<void> {
    for (const sent of tidying(this.callers)) await this.ask(sent)
  }

  private async ask(sent: Sent): Promise<string> {
    const wire = new Wire(this.port)
    const outcome = await this.deliver(wire, sent)
    wire.close()
    this.tally.take(sent, outcome)
    return outcome.kind === 'answer' ? outcome.text : ''
  }
}

import { Broken } from './proof.ts'

export interface Asked {
  readonly method: string
  /** From /rest/v1 on. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Answered {
  readonly status: number
  /** All of the answer that may not differ from one time to the next. */
  readonly bytes: string
  /** It was done before, by one that was sent in vain. */
  readonly isReplay: boolean
  /** Why it had to be sent again, each time. */
  readonly failures: readonly string[]
}

/** As a good client does: what found no answer, or no room, is sent again, to the next instance. */
export async function sendUntilAnswered(bases: readonly string[], first: number, asked: Asked): Promise<Answered> {
  const failures: string[] = []
  const endsAt = Date.now() + answeredWithinMs
  for (let at = first; ; at += 1) {
    const answer = await send(bases[at % bases.length] ?? '', asked)
    if (typeof answer !== 'string') return { ...answer, failures }
    failures.push(answer)
    if (Date.now() > endsAt) throw new Broken(`No answer after ${failures.length} tries, at last ${answer}`)
    await Bun.sleep(pauseMs)
  }
}

const answeredWithinMs = 240_000
const pauseMs = 10

/** The answer, or why it has to be sent again. */
async function send(base: string, asked: Asked): Promise<Omit<Answered, 'failures'> | string> {
  try {
    const { path, ...init } = asked
    const response = await fetch(`${base}/rest/v1${path}`, init)
    const { status, headers } = response
    const body = await response.text()
    if (status === 503 || body.includes('"idempotency_in_progress"')) return `${status} ${body}`
    const isReplay = headers.get('idempotent-replayed') === 'true'
    return { status, isReplay, bytes: [status, ...lasting.map((name) => headers.get(name)), body].join('\n') }
  } catch (error) {
    return codeOf(error)
  }
}

/** `ECONNREFUSED`: it was never sent. Anything else: it may have been. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error)

const lasting = ['content-type', 'location', 'content-range', 'preference-applied', 'etag']

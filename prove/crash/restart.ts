import { type Answered, type Asked, sendUntilAnswered } from '../client.ts'
import { isTooBusy, Missed, type Proof, requireNone } from '../proof.ts'
import { type Caller, makeStage } from '../stage.ts'
import { startInstances } from './instances.ts'
import { audit, type Sent } from './ledger.ts'

const clients = 16
const loadMsBetween = 300
/** A short run shares the machine with other tests: a request may take longer than a service that stops waits by default. */
const shortMax = 3
const shortSettings = { STOP_TIMEOUT_S: '300' }

export const restart: Proof = {
  promise: 'Three instances can be restarted one after another, as for an upgrade, without a failed request.',
  attack: `SIGTERM to one of three instances under ${clients} clients, half of which read and half create, and a start again, by turns.`,
  size: { unit: 'restarts', short: shortMax, full: { sqlite: 20, postgres: 20 } },
  isOutside: true,
  run: async (attempt) => {
    const stage = await makeStage(attempt, ['Acme'])
    const [acme] = stage.callers
    if (!acme) throw new Error('There is no company')
    const isShort = attempt.size <= shortMax
    const env = isShort ? { ...stage.env, ...shortSettings } : stage.env
    const { bases, replace } = await startInstances(env, 3)
    const sent = new Set<Sent>()
    const tally = { answered: 0, again: 0, cut: 0 }
    /** Answers that say that the machine stood still: in a short run, they are no failures. */
    const tooBusy: string[] = []
    let isDone = false

    const read = async (number: number): Promise<void> => {
      while (!isDone) count(await sendUntilAnswered(bases, number, list(acme)))
    }
    const write = async (number: number): Promise<void> => {
      for (let turn = 0; !isDone; turn += 1) {
        const name = `Project ${number} ${turn}`
        const answer = await sendUntilAnswered(bases, number, create(acme, name))
        count(answer)
        const unknown = answer.failures.find((failure) => failure.includes('"code":"outcome_unknown"'))
        if (isShort && answer.isReplay && unknown) tooBusy.push(unknown)
        else requireNone('requests begun and not answered', answer.isReplay ? [name] : [])
        const acknowledged = answer.status < 300 ? [idOf(answer.bytes)] : null
        sent.add({ resource: 'project', rows: [{ name, bid: acme.bid }], acknowledged })
      }
    }
    const count = ({ status, bytes, failures }: Answered): void => {
      if (isShort && status >= 500 && isTooBusy(bytes)) tooBusy.push(bytes)
      else requireNone('requests that failed', status < 300 ? [] : [bytes])
      tally.answered += 1
      tally.again += failures.length
      tally.cut += failures.filter((code) => code !== 'ECONNREFUSED').length
    }
    const restartAll = async (): Promise<void> => {
      for (let restarts = 0; restarts < attempt.size; restarts += 1) {
        await Bun.sleep(loadMsBetween)
        await replace(restarts % bases.length, 'SIGTERM')
      }
      isDone = true
    }
    const all = Array.from({ length: clients }, (_, number) => (number % 2 === 0 ? read(number) : write(number)))
    await Promise.all([restartAll(), ...all])
    await audit(stage.url, sent, acme)
    if (tooBusy[0] !== undefined) throw new Missed(tooBusy[0])
    return {
      restarts: attempt.size,
      'requests answered': tally.answered,
      'requests failed': 0,
      'begun and not answered': 0,
      'connections refused': tally.again - tally.cut,
      'idle connections that closed as they were used': tally.cut,
      'lost or doubled': 0,
    }
  },
  controls: [
    {
      breaks: 'the service stops without finishing what it has begun',
      notices: 'requests begun and not answered',
      size: 20,
      // SQLite writes and answers in one go, so that nothing can come between.
      engines: ['postgres'],
      file: 'src/cli/serve.ts',
      text: 'await server.stop()',
      instead: 'process.exit(0)',
    },
  ],
}

function list({ headers }: Caller): Asked {
  return { method: 'GET', path: '/project?limit=20', headers }
}

/** Sent again, it must not be done again. */
function create({ headers, bid }: Caller, name: string): Asked {
  const body = JSON.stringify({ bid_id: bid, project_name: name })
  return { method: 'POST', path: '/project', headers: { ...headers, 'Idempotency-Key': Bun.randomUUIDv7() }, body }
}

const idOf = (bytes: string): string => JSON.parse(bytes.slice(bytes.indexOf('{'))).id

import { latestResources } from '../fields/own-resources.ts'
import { createLog } from '../log/log.ts'
import { listCompanies } from '../people/companies.ts'
import { printable } from '../people/printable.ts'
import type { Database } from '../store/database.ts'
import { lastSequence, readEvents } from '../store/events/read-events.ts'
import { attempt, isReceived } from '../webhooks/attempt.ts'
import { isChosen } from '../webhooks/choose-events.ts'
import { bodyOf } from '../webhooks/event-body.ts'
import { createSend } from '../webhooks/send/send.ts'
import { parseTarget } from '../webhooks/send/target.ts'
import { makeSecret } from '../webhooks/sign.ts'
import { type Command, CommandError } from './command.ts'
import { stopSignal } from './stop-signal.ts'
import { parseChoice } from './webhook.ts'
import { findCompany, withDatabase } from './with-database.ts'

const pollMs = 250
const eventsMax = 100

/** For development: no endpoint is stored, and the URL may be on this machine. */
export const webhookListen: Command = {
  summary: 'Forward new events to a URL on this machine until it is stopped, for development',
  words: [],
  flags: {
    'forward-to': { value: 'URL', meaning: 'Where to, such as http://127.0.0.1:3000/webhooks', required: true },
    company: { value: 'ID_OR_NAME', meaning: 'The company (the only one)' },
    types: { value: 'project.created,…', meaning: 'Which events, by type (all)' },
    filter: { value: 'CONDITION', meaning: 'Which rows, as in a URL: project_name=like.A* (all)' },
  },
  run: ({ flags, config, isUnderNpm, wantsJson }) => {
    const url = parseUrl(flags['forward-to'] ?? '')
    return withDatabase(config, async (db) => {
      const owner = await findOwner(db, flags.company)
      const own = db.forCompany(owner.id)
      const known = await latestResources(db, owner.id)
      const choice = parseChoice(flags, known)
      const secrets = [makeSecret()]
      const log = createLog(wantsJson ? 'off' : 'text')
      const say = (text: string): void => {
        if (!wantsJson) log.print(`${printable(text)}\n`)
      }
      say(`Forwarding events of ${owner.name} to ${url}, signed with the secret ${secrets[0]}`)
      const send = createSend({ loopback: true })
      const counts = { forwarded: 0, received: 0 }
      let isStopping = false
      const stopped = stopSignal(isUnderNpm).then(() => {
        isStopping = true
      })
      for (let after = await lastSequence(own); !isStopping; ) {
        const { events } = await readEvents(own, after, eventsMax)
        for (const event of events.filter((one) => !isStopping && isChosen(choice, one, known))) {
          const made = await attempt(send, {
            companyId: owner.id,
            url,
            secrets,
            eventId: event.id,
            body: bodyOf(event),
          })
          counts.forwarded += 1
          if (isReceived(made)) counts.received += 1
          say(`${event.type} ${event.rowId} → ${made.status ?? made.error} in ${made.durationMs} ms`)
        }
        after = events.at(-1)?.sequence ?? after
        if (events.length === 0) await Promise.race([Bun.sleep(pollMs), stopped])
      }
      await log.flush()
      return { json: counts, text: `Forwarded ${counts.forwarded} events, of which ${counts.received} were received.` }
    })
  },
}

function parseUrl(text: string): string {
  try {
    return parseTarget(text, { loopback: true }).href
  } catch (error) {
    throw new CommandError(`--forward-to cannot be used. ${error instanceof Error ? error.message : error}`, 2)
  }
}

async function findOwner(db: Database, idOrName: string | undefined) {
  if (idOrName !== undefined) return findCompany(db, idOrName)
  const [only, another] = await listCompanies(db)
  if (!only || another) throw new CommandError('Say whose events by --company: there is not exactly one company.', 2)
  return only
}

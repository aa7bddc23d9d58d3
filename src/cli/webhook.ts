import { latestResources } from '../fields/own-resources.ts'
import { graces } from '../keys/rotate.ts'
import { commandLine } from '../people/audit.ts'
import { listCompanies } from '../people/companies.ts'
import type { Resource } from '../resources/define.ts'
import type { Database } from '../store/database.ts'
import { durationMs } from '../types/duration.ts'
import { isUuid } from '../types/uuid.ts'
import { isReceived } from '../webhooks/attempt.ts'
import { parseFilter, parseTypes } from '../webhooks/choose-events.ts'
import { replayOne, sendTest } from '../webhooks/deliveries.ts'
import type { Endpoint } from '../webhooks/endpoint.ts'
import {
  createEndpoint,
  deleteEndpoint,
  disableEndpoint,
  enableEndpoint,
  findAnyEndpoint,
  listEndpoints,
  rotateEndpoint,
} from '../webhooks/endpoints.ts'
import { replaySince } from '../webhooks/replay.ts'
import { createWebhooks } from '../webhooks/webhooks.ts'
import { type Command, CommandError } from './command.ts'
import { parseGrace } from './credential.ts'
import { textTable } from './text-table.ts'
import { findCompany, withDatabase } from './with-database.ts'

const company = { value: 'ID_OR_NAME', meaning: 'The company' } as const
const types = { value: 'project.created,…', meaning: 'Which events, by type (all)' } as const
const filter = { value: 'CONDITION', meaning: 'Which rows, as in a URL: project_name=like.A* (all)' } as const

export const webhookCreate: Command = {
  summary: 'Send the events of a company to a URL, signed with a new secret',
  words: [],
  flags: {
    company: { ...company, required: true },
    url: { value: 'URL', meaning: 'Where to send them', required: true },
    types,
    filter,
  },
  run: ({ flags, config }) => {
    const webhooks = createWebhooks(config)
    const wantedUrl = webhooks.parseUrl(flags.url ?? '')
    return withDatabase(config, async (db) => {
      const { id: companyId } = await findCompany(db, flags.company ?? '')
      const choice = parseChoice(flags, await latestResources(db, companyId))
      const made = await createEndpoint(db, webhooks.seal(), { companyId, url: wantedUrl, ...choice }, commandLine)
      const { id, url, shownSecret: secret } = made
      const text = `Made a webhook to ${url}. The secret is shown only once.\n\n  Id      ${id}\n  Secret  ${secret}`
      return { json: { id, url, secret }, text }
    })
  },
}

/** `--types a,b` and `--filter …` */
export function parseChoice(flags: Readonly<Record<string, string | undefined>>, known: readonly Resource[]) {
  const types = parseTypes(flags.types?.split(',').map((type) => type.trim()))
  return { types, filter: parseFilter(flags.filter, types, known) }
}

export const webhookList: Command = {
  summary: 'Show webhooks, without their secrets',
  words: [],
  flags: { company },
  run: ({ flags, config }) =>
    withDatabase(config, async (db) => {
      const companies = flags.company === undefined ? await listCompanies(db) : [await findCompany(db, flags.company)]
      const names = new Map(companies.map(({ id, name }) => [id, name]))
      const found = (await Promise.all(companies.map(({ id }) => listEndpoints(db, id)))).flat()
      const rows = found.map((one) => [
        ...[one.id, names.get(one.companyId) ?? '', one.url, one.types?.join(',') ?? 'all', one.filter, stateOf(one)],
      ])
      const columns = ['id', 'company', 'url', 'types', 'filter', 'state']
      return { json: found.map(documentOf), text: textTable(columns, rows) }
    }),
}

const stateOf = ({ disabledAt, disabledReason, failingSince }: Endpoint): string =>
  disabledAt !== null
    ? `disabled (${disabledReason})`
    : failingSince !== null
      ? `failing since ${failingSince}`
      : 'active'

const documentOf = (one: Endpoint) => ({
  ...{ id: one.id, company_id: one.companyId, url: one.url, types: one.types, filter: one.filter },
  ...{ failing_since: one.failingSince, disabled_at: one.disabledAt, disabled_reason: one.disabledReason },
  ...{ created_at: one.createdAt, created_by: one.createdBy },
})

export const webhookTest: Command = {
  summary: 'Send a test event to a webhook, and show the answer',
  words: ['ID'],
  flags: {},
  run: ({ words: [id = ''], config }) =>
    withDatabase(config, async (db) => {
      const { seal, send } = createWebhooks(config)
      const made = await sendTest(db, { seal: seal(), send }, await findWebhook(db, id))
      const { status, error, answer, durationMs } = made
      const result = status === null ? `There was no answer: ${error}` : `Answered ${status} in ${durationMs} ms.`
      return {
        json: { status, error, answer, duration_ms: durationMs },
        text: answer === '' ? result : `${result}\n\n${answer}`,
        exitCode: isReceived(made) ? 0 : 1,
      }
    }),
}

export const webhookReplay: Command = {
  summary: 'Send events to a webhook again: one, or all since a time',
  words: ['ID'],
  flags: {
    since: { value: '24h', meaning: 'All events since then: hours, days (7d) or a time (2027-01-31T12:00Z)' },
    event: { value: 'EVENT_ID', meaning: 'One event, by the header webhook-id that it had' },
  },
  run: ({ words: [id = ''], flags, config }) => {
    if ((flags.since === undefined) === (flags.event === undefined))
      throw new CommandError('"webhook replay" needs either --since or --event. See "webhook replay --help".', 2)
    const since = flags.since === undefined ? null : parseSince(flags.since, new Date())
    const eventId = flags.event ?? ''
    if (since === null && !isUuid(eventId)) throw new CommandError(`--event must be an id, but is "${eventId}".`, 2)
    return withDatabase(config, async (db) => {
      const endpoint = await findWebhook(db, id)
      if (since === null) await replayOne(db, { ...endpoint, eventId }, commandLine)
      else await replaySince(db, endpoint, since, commandLine)
      const what = since === null ? `the event ${eventId}` : `all events since ${since.toISOString()}`
      return { json: { id, since, event: flags.event ?? null }, text: `The service sends ${what} to ${endpoint.url}.` }
    })
  },
}

/** `24h`, `7d` or `2027-01-31T12:00Z` */
function parseSince(text: string, now: Date): Date {
  const ms = durationMs(text)
  const moment = new Date(ms === null ? text : now.getTime() - ms)
  if (Number.isNaN(moment.getTime()) || moment > now)
    throw new CommandError(`--since must be hours (24h), days (7d) or a past time, but is "${text}".`, 2)
  return moment
}

export const webhookRotate: Command = {
  summary: 'Give a webhook a new secret',
  words: ['ID'],
  flags: { grace: { value: Object.keys(graces).join('|'), meaning: 'How long the old secret signs, too (24h)' } },
  run: ({ words: [id = ''], flags, config }) => {
    const graceSeconds = parseGrace(flags.grace ?? '24h')
    return withDatabase(config, async (db) => {
      const endpoint = await findWebhook(db, id)
      const rotation = { graceSeconds, by: commandLine }
      const secret = await rotateEndpoint(db, createWebhooks(config).seal(), endpoint, rotation)
      const text = `The webhook to ${endpoint.url} has a new secret, which is shown only once.\n\n  Secret  ${secret}`
      return { json: { id, url: endpoint.url, secret, grace_seconds: graceSeconds }, text }
    })
  },
}

/** A command that changes one webhook and has nothing to show. */
const simple = (
  summary: string,
  done: string,
  change: (db: Database, endpoint: Endpoint) => Promise<unknown>,
): Command => ({
  summary,
  words: ['ID'],
  flags: {},
  run: ({ words: [id = ''], config }) =>
    withDatabase(config, async (db) => {
      const endpoint = await findWebhook(db, id)
      await change(db, endpoint)
      return { json: { id, [done]: true }, text: `The webhook to ${endpoint.url} is ${done}.` }
    }),
})

export const webhookEnable = simple(
  'Enable a webhook: it receives what has happened since it was disabled',
  'enabled',
  (db, endpoint) => enableEndpoint(db, endpoint, commandLine),
)

export const webhookDisable = simple('Disable a webhook', 'disabled', (db, endpoint) =>
  disableEndpoint(db, endpoint, 'by_hand', commandLine),
)

export const webhookDelete = simple('Delete a webhook', 'deleted', (db, endpoint) =>
  deleteEndpoint(db, endpoint, commandLine),
)

async function findWebhook(db: Database, id: string): Promise<Endpoint> {
  const known = isUuid(id) ? await findAnyEndpoint(db, id) : null
  if (!known) throw new CommandError(`There is no webhook "${id}". "webhook list" shows them.`)
  return known
}

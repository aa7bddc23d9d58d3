import { listRequests, type OutcomeChoice, outcomeChoices, type StoredRequest } from '../request-log/read-requests.ts'
import { type Command, CommandError } from './command.ts'
import { findCredential } from './credential.ts'
import { textTable } from './text-table.ts'
import { findCompany, withDatabase } from './with-database.ts'

export const requests: Command = {
  summary: 'Show the last requests of a company, newest first',
  words: [],
  flags: {
    company: { value: 'ID_OR_NAME', meaning: 'The company', required: true },
    credential: { value: 'ID_OR_KEY', meaning: 'Only those of this credential (all)' },
    outcome: { value: outcomeChoices.join('|'), meaning: 'Only those that ended so (all)' },
    limit: { value: 'NUMBER', meaning: 'How many (50)' },
  },
  run: ({ flags, config }) => {
    const limit = parseLimit(flags.limit ?? '50')
    const outcome = flags.outcome === undefined ? null : parseOutcome(flags.outcome)
    return withDatabase(config, async (db) => {
      const company = await findCompany(db, flags.company ?? '')
      const credential = flags.credential === undefined ? null : await findCredential(db, flags.credential)
      const filter = { credentialId: credential?.id ?? null, outcome, before: null }
      const found = await listRequests(db.forCompany(company.id), filter, limit)
      const names = ['time', 'request_id', 'credential', 'method', 'path', 'status', 'ms', 'code', 'left_out']
      return { json: found.map(documentOf), text: textTable(names, found.map(cellsOf)) }
    })
  },
}

const cellsOf = (one: StoredRequest): string[] => [
  ...[one.at, one.id, one.credentialName, one.method, one.path],
  ...[String(one.status), String(one.ms), one.code ?? '', one.leftOut === 0 ? '' : `+${one.leftOut}`],
]

const documentOf = ({ credentialId, credentialName, userAgent, leftOut, ...one }: StoredRequest) => ({
  ...one,
  ...{ credential_id: credentialId, credential_name: credentialName, user_agent: userAgent, left_out: leftOut },
})

function parseLimit(text: string): number {
  const limit = Number(text)
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000)
    throw new CommandError(`--limit must be a number from 1 to 1000, but is "${text}".`, 2)
  return limit
}

function parseOutcome(text: string): OutcomeChoice {
  const known = outcomeChoices.find((choice) => choice === text)
  if (known === undefined)
    throw new CommandError(`--outcome must be one of ${outcomeChoices.join(', ')}, but is "${text}".`, 2)
  return known
}

import { commandLine } from '../people/audit.ts'
import { createCompany, listCompanies, turnEvents } from '../people/companies.ts'
import { undoDeletion } from '../people/end-company.ts'
import { listMembers } from '../people/members.ts'
import { printable } from '../people/printable.ts'
import { type Command, CommandError } from './command.ts'
import { parseGivenName } from './given-name.ts'
import { textTable } from './text-table.ts'
import { findCompany, withDatabase } from './with-database.ts'

export const companyCreate: Command = {
  summary: 'Create a company',
  words: ['NAME'],
  flags: {},
  run: ({ words: [name = ''], config }) =>
    withDatabase(config, async (db) => {
      const company = await createCompany(db, parseGivenName('The name of a company', name))
      return { json: company, text: `Made the company "${company.name}" with the id ${company.id}.` }
    }),
}

export const companyList: Command = {
  summary: 'Show all companies, and when one is deleted',
  words: [],
  flags: {},
  run: ({ config }) =>
    withDatabase(config, async (db) => {
      const companies = await listCompanies(db)
      return {
        json: companies.map(({ id, name, deleteAfter }) => ({ id, name, delete_after: deleteAfter })),
        text: textTable(
          ['id', 'name', 'state'],
          companies.map(({ id, name, deleteAfter }) => [id, name, stateOf(deleteAfter)]),
        ),
      }
    }),
}

const stateOf = (deleteAfter: string | null): string =>
  deleteAfter === null ? 'active' : `deleted on ${deleteAfter}; "company restore" undoes it`

export const companyRestore: Command = {
  summary: 'Undo the deletion of a company within its seven days',
  words: ['ID_OR_NAME'],
  flags: {},
  run: ({ words: [idOrName = ''], config }) =>
    withDatabase(config, async (db) => {
      const { id, name, deleteAfter } = await findCompany(db, idOrName)
      const shown = printable(name)
      if (deleteAfter === null) throw new CommandError(`The company "${shown}" is not about to be deleted.`)
      await undoDeletion(db, commandLine, { id, name })
      const hasOwner = (await listMembers(db, id)).some(({ role }) => role === 'owner')
      const advice = hasOwner
        ? ''
        : ` It has no owner: "member add --company ${id} --email EMAIL --role owner" gives it one.`
      return { json: { id, name, delete_after: null }, text: `The company "${shown}" stays.${advice}` }
    }),
}

export const companyEvents: Command = {
  summary: 'Turn the events of a company on or off',
  words: ['ID_OR_NAME', 'on|off'],
  flags: {},
  run: async ({ words: [idOrName = '', state = ''], config }) => {
    if (state !== 'on' && state !== 'off') throw new CommandError(`Say on or off, not "${printable(state)}".`, 2)
    return withDatabase(config, async (db) => {
      const { id, name } = await findCompany(db, idOrName)
      await turnEvents(db, commandLine, id, state === 'on')
      return { json: { id, name, events: state }, text: `Events of the company "${printable(name)}" are ${state}.` }
    })
  },
}

import { commandLine } from '../people/audit.ts'
import { createCompany, listCompanies, turnEvents } from '../people/companies.ts'
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
      const company = await createCompany(db, parseGivenName('A company', name))
      return { json: company, text: `Made the company "${company.name}" with the id ${company.id}.` }
    }),
}

export const companyList: Command = {
  summary: 'Show all companies',
  words: [],
  flags: {},
  run: ({ config }) =>
    withDatabase(config, async (db) => {
      const companies = await listCompanies(db)
      return {
        json: companies,
        text: textTable(
          ['id', 'name'],
          companies.map(({ id, name }) => [id, name]),
        ),
      }
    }),
}

export const companyEvents: Command = {
  summary: 'Turn the events of a company on or off',
  words: ['ID_OR_NAME', 'on|off'],
  flags: {},
  run: ({ words: [idOrName = '', state = ''], config }) =>
    withDatabase(config, async (db) => {
      if (state !== 'on' && state !== 'off') throw new CommandError(`Say on or off, not "${state}".`)
      const { id, name } = await findCompany(db, idOrName)
      await turnEvents(db, commandLine, id, state === 'on')
      return { json: { id, name, events: state }, text: `Events of the company "${printable(name)}" are ${state}.` }
    }),
}

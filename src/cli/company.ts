import { createCompany, listCompanies } from '../people/companies.ts'
import type { Command } from './command.ts'
import { parseGivenName } from './given-name.ts'
import { textTable } from './text-table.ts'
import { withDatabase } from './with-database.ts'

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

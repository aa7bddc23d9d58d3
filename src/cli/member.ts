import { findPerson } from '../people/accounts.ts'
import { commandLine } from '../people/audit.ts'
import { joinCompany } from '../people/members.ts'
import { parseEmail } from '../people/parse.ts'
import { printable } from '../people/printable.ts'
import { roles } from '../people/roles.ts'
import { type Command, CommandError } from './command.ts'
import { parseRole } from './parse-role.ts'
import { findCompany, withDatabase } from './with-database.ts'

export const memberAdd: Command = {
  summary: 'Make a person who has an account a member of a company',
  words: [],
  flags: {
    company: { value: 'ID_OR_NAME', meaning: 'The company', required: true },
    email: { value: 'EMAIL', meaning: 'What the person signs in with', required: true },
    role: { value: roles.join('|'), meaning: 'What they may do there (developer)' },
  },
  run: ({ flags, config }) => {
    const role = parseRole(flags.role ?? 'developer')
    return withDatabase(config, async (db) => {
      const company = await findCompany(db, flags.company ?? '')
      const email = parseEmail(flags, 'email')
      const person = await findPerson(db, email)
      if (!person)
        throw new CommandError(`There is nobody with the e-mail address "${email}". "user create" makes an account.`)
      const { statements, check } = joinCompany(commandLine, {
        companyId: company.id,
        personId: person.id,
        email,
        role,
      })
      await db.forCompany(company.id).transact(statements, check)
      const json = { id: person.id, email, name: person.name, company_id: company.id, role }
      return { json, text: `${printable(person.name)} (${email}) is ${role} of ${printable(company.name)} now.` }
    })
  },
}

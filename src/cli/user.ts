import { createPerson, findPerson, makePassword } from '../people/accounts.ts'
import { commandLine } from '../people/audit.ts'
import { changeEmail } from '../people/change-account.ts'
import { joinCompany } from '../people/members.ts'
import { parseEmail, parseName } from '../people/parse.ts'
import { deletePasskeys } from '../people/passkeys.ts'
import { createPeople } from '../people/people.ts'
import { printable } from '../people/printable.ts'
import { roles } from '../people/roles.ts'
import { endTwoFactor, hasTwoFactor } from '../people/two-factor.ts'
import type { Database } from '../store/database.ts'
import { type Command, CommandError } from './command.ts'
import { parseRole } from './parse-role.ts'
import { findCompany, withDatabase } from './with-database.ts'

export const userCreate: Command = {
  summary: 'Create a person who can sign in to the settings page',
  words: [],
  flags: {
    email: { value: 'EMAIL', meaning: 'What the person signs in with', required: true },
    name: { value: 'NAME', meaning: 'Their name', required: true },
    password: { value: 'PASSWORD', meaning: 'Their password (one is generated and shown)' },
    company: { value: 'ID_OR_NAME', meaning: 'A company to be a member of (none)' },
    role: { value: roles.join('|'), meaning: 'What they may do there (owner)' },
  },
  run: ({ flags, config }) => {
    const role = parseRole(flags.role ?? 'owner')
    return withDatabase(config, async (db) => {
      const company = flags.company === undefined ? null : await findCompany(db, flags.company)
      const made = { email: parseEmail(flags, 'email'), name: parseName(flags, 'name') }
      const password = flags.password ?? makePassword()
      const { id, email, name } = await createPerson(db, { ...made, password }, 'operator', (personId) =>
        company ? joinCompany(commandLine, { companyId: company.id, personId, email: made.email, role }) : null,
      )
      const shown = flags.password === undefined ? { password } : {}
      const member = company ? { company_id: company.id, role } : {}
      const where = company ? `, ${role} of ${printable(company.name)}` : ''
      const once = flags.password === undefined ? ` The password is shown only once.\n\n  Password  ${password}` : ''
      return { json: { id, email, name, ...member, ...shown }, text: `Made ${name} (${email})${where}.${once}` }
    })
  },
}

export const userResetPassword: Command = {
  summary: 'Print a link with which a person can set a new password',
  words: ['EMAIL'],
  flags: {},
  run: ({ words: [email = ''], config }) =>
    withDatabase(config, async (db) => {
      const person = await findAccount(db, email)
      const base = config.baseUrl ?? `${config.tls ? 'https' : 'http'}://${config.host}:${config.port}`
      const people = createPeople(db, { ...config, mail: null, baseUrl: () => base, failed: () => {} })
      const link = `${base}/reset-password?token=${await people.createResetToken(person.id)}`
      return { json: { email, link }, text: `This link works once, within one hour:\n\n${link}` }
    }),
}

export const userTwoFactorOff: Command = {
  summary: 'Turn off two-factor sign-in and delete the passkeys of a person who has lost them',
  words: ['EMAIL'],
  flags: {},
  run: ({ words: [email = ''], config }) =>
    withDatabase(config, async (db) => {
      const { id, name } = await findAccount(db, email)
      const whose = { personId: id, email: email.trim().toLowerCase(), by: commandLine }
      const isOn = await hasTwoFactor(db, id)
      const passkeys = await deletePasskeys(db, whose)
      if (!isOn && passkeys === 0)
        throw new CommandError(
          `Two-factor sign-in of ${printable(name)} (${email}) is off already, and there are no passkeys.`,
        )
      if (isOn) await endTwoFactor(db, whose)
      const deleted = passkeys === 0 ? '' : ` Passkeys deleted: ${passkeys}.`
      const text = `${printable(name)} (${email}) signs in with the password alone now.${deleted}`
      return { json: { id, email, passkeys_deleted: passkeys }, text }
    }),
}

export const userChangeEmail: Command = {
  summary: 'Give a person another e-mail address, which you have verified',
  words: ['EMAIL', 'NEW_EMAIL'],
  flags: {},
  run: ({ words: [email = '', wanted = ''], config }) =>
    withDatabase(config, async (db) => {
      const { id, name } = await findAccount(db, email)
      const to = parseEmail({ NEW_EMAIL: wanted }, 'NEW_EMAIL')
      await changeEmail(db, { personId: id, email: email.trim().toLowerCase(), by: commandLine }, to)
      return { json: { id, email: to }, text: `${printable(name)} signs in as ${to} now.` }
    }),
}

async function findAccount(db: Database, email: string): Promise<{ readonly id: string; readonly name: string }> {
  const person = await findPerson(db, email.trim().toLowerCase())
  if (!person) throw new CommandError(`There is nobody with the e-mail address "${email}".`)
  return person
}

import { failure } from '../errors/index.ts'
import {
  acceptInvitation,
  createInvitation,
  findOffer,
  listInvitations,
  revokeInvitation,
  undoInvitation,
} from '../people/invitations.ts'
import { parseChoice, parseEmail } from '../people/parse.ts'
import { printable } from '../people/printable.ts'
import { roles } from '../people/roles.ts'
import type { Answer } from '../response/answer.ts'
import { actorOf, companyOf, done, ok, type SettingsContext, type SettingsRoute } from './context.ts'
import type * as documents from './documents/people.ts'
import { showSession } from './session.ts'

/** Of a company, and of a person: each may be a mail to a stranger. */
const invitationsMax = { requests: 100, seconds: 3600 }

export const invitationsRoutes: readonly SettingsRoute[] = [
  { method: 'GET', path: '/api/invitations', role: 'owner', handle: list },
  {
    ...{ method: 'POST', path: '/api/invitations', role: 'owner' },
    ...{ limit: invitationsMax, attempts: invitationsMax, handle: invite },
  },
  { method: 'DELETE', path: '/api/invitations/:id', role: 'owner', handle: revoke },
  { method: 'GET', path: '/api/invitation/:token', role: 'public', handle: show },
  { method: 'POST', path: '/api/invitation/:token/accept', role: 'person', handle: accept },
]

async function list(context: SettingsContext): Promise<Answer> {
  const invitations = await listInvitations(context.db, companyOf(context).id)
  return ok<readonly documents.Invitation[]>(
    invitations.map(({ id, email, role, createdAt, expiresAt, invitedBy }) => ({
      id,
      email,
      role,
      created_at: createdAt,
      expires_at: expiresAt,
      invited_by: invitedBy,
    })),
  )
}

async function invite(context: SettingsContext): Promise<Answer> {
  const body = await context.json()
  const company = companyOf(context)
  const asked = { email: parseEmail(body, 'email'), role: parseChoice(body, 'role', roles) }
  const invitation = { ...asked, companyId: company.id, invitedBy: context.person.id }
  const { token, expiresAt, id, replaced } = await createInvitation(context.db, actorOf(context), invitation)
  const link = `${context.site.baseUrl}/invitation/${token}`
  const emailed = context.site.mail !== null
  if (emailed) await mailLink(context, { id, to: asked.email, link })
  // Whoever has the link can take the address for an account: where it was mailed, only who reads that mail.
  const shown = { id, ...asked, expires_at: expiresAt, link: emailed ? null : link, emailed, replaced }
  return ok<documents.NewInvitation>(shown, 201)
}

interface Link {
  /** Of the invitation. */
  readonly id: string
  readonly to: string
  readonly link: string
}

const twoFactorNote = '\nThis company requires two-factor sign-in: have a phone with an authenticator app at hand.\n'

/** An invitation whose mail cannot be sent does not stay: nobody would have its link. */
async function mailLink(context: SettingsContext, { id, to, link }: Link): Promise<void> {
  const { site, person, unguarded } = context
  const company = companyOf(context)
  const text = `${printable(person.name)} (${person.email}) invites you to "${printable(company.name)}".\n\nAccept within 7 days:\n${link}\n${company.requiresTwoFactor ? twoFactorNote : ''}`
  try {
    await site.mail?.send({ to, subject: `Invitation to ${company.name}`, text })
  } catch (error) {
    await undoInvitation(unguarded, actorOf(context), { companyId: company.id, id, email: to })
    throw failure.mailNotSent(error)
  }
}

async function revoke(context: SettingsContext): Promise<Answer> {
  await revokeInvitation(context.db, actorOf(context), companyOf(context).id, context.params.id ?? '')
  return done
}

async function show({ db, params }: SettingsContext): Promise<Answer> {
  const { company, email, role, hasAccount, requiresTwoFactor } = await findOffer(db, params.token ?? '')
  const more = { has_account: hasAccount, two_factor_required: requiresTwoFactor }
  return ok<documents.InvitationOffer>({ company, email, role, ...more })
}

async function accept(context: SettingsContext): Promise<Answer> {
  const companyId = await acceptInvitation(context.db, actorOf(context), context, context.params.token ?? '')
  return showSession(context, companyId)
}

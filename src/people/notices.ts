import type { Message } from './mail.ts'
import { printable } from './printable.ts'

/** Who gets a message, of which installation. */
interface Receiver {
  readonly to: string
  readonly baseUrl: string
}

const operatorAdvice = 'If it was not you, tell the operator of the installation at once.'
const resetAdvice =
  'If it was not you, set a new one with "Forgot your password?" on the page "Sign in", and tell the operator of the installation.'

export const passwordChanged = ({ to, baseUrl }: Receiver): Message => ({
  to,
  subject: 'Your password was changed',
  text: `The password of your account at ${baseUrl} was changed.\n\n${resetAdvice}\n`,
})

export const twoFactorTurned = (state: 'on' | 'off', { to, baseUrl }: Receiver): Message => ({
  to,
  subject: `Two-factor sign-in was turned ${state}`,
  text:
    state === 'on'
      ? `Signing in at ${baseUrl} with your password now takes a code of your authenticator app, too.\n\n${operatorAdvice}\n`
      : `Signing in at ${baseUrl} with your password takes no code any more.\n\nIf it was not you, change your password, turn it on again on the page "Account", and sign out everywhere else.\n`,
})

/** What happens to a company, and by whom. */
interface CompanyChange extends Receiver {
  readonly company: { readonly id: string; readonly name: string }
  /** The e-mail address of whoever does it. */
  readonly actor: string
}

export const deletionStarted = ({ to, ...change }: CompanyChange, deleteAfter: string): Message => ({
  to,
  subject: `${change.company.name} is about to be deleted`,
  text: `${change.actor} has asked for the deletion of "${printable(change.company.name)}" at ${change.baseUrl}.\n\nIts credentials are refused from now on. It is deleted with all that belongs to it on ${dayOf(deleteAfter)}. Until then, an owner can undo it:\n${pageOf(change)}\n`,
})

export const deletionUndone = ({ to, ...change }: CompanyChange): Message => ({
  to,
  subject: `${change.company.name} is not deleted`,
  text: `${change.actor} has undone the deletion of "${printable(change.company.name)}" at ${change.baseUrl}. Its credentials work again.\n\n${pageOf(change)}\n`,
})

export const companyReceived = ({ to, ...change }: CompanyChange): Message => ({
  to,
  subject: `You are an owner of ${change.company.name}`,
  text: `${change.actor} has transferred "${printable(change.company.name)}" at ${change.baseUrl} to you. You are an owner of it now:\n${pageOf(change)}\n`,
})

export const companyGiven = ({ to, ...change }: CompanyChange, newOwner: string): Message => ({
  to,
  subject: `${change.company.name} was transferred`,
  text: `"${printable(change.company.name)}" at ${change.baseUrl} was transferred from you to ${newOwner}. You are a developer of it now.\n\n${operatorAdvice}\n`,
})

const pageOf = ({ baseUrl, company }: Omit<CompanyChange, 'to'>): string => `${baseUrl}/c/${company.id}/company`

/** `2026-11-24T13:40:16.000000+00:00` → `2026-11-24 13:40 UTC` */
const dayOf = (time: string): string => `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`

import { define, type Failures } from './define.ts'

/** Who is signed in to the settings page, and what they may do. */
export const people = {
  notSignedIn: define(401, 'not_signed_in', () => ({
    message: 'Nobody is signed in',
    hint: 'Sign in at /sign-in, and send the cookie it sets.',
  })).inSettings(),
  originInvalid: define(403, 'invalid_origin', () => ({
    message: 'The request does not come from the settings page',
    hint: 'Changes are taken from the page itself only. Unless it is reached by an IP address or as localhost, set BASE_URL to where it is.',
  })).inSettings(),
  forbidden: define(403, 'forbidden', (hint: string) => ({
    message: 'You may not do this',
    hint,
  })).inSettings('Ask an owner: this takes the role "owner".'),
  notFound: define(404, 'not_found', (what: string) => ({
    message: `There is no such ${what} in your company`,
    hint: 'It may have been removed. Reload.',
  })).inSettings('member'),
  personUnknown: define(404, 'not_found', () => ({
    message: 'There is no such person in another company of yours',
    hint: 'Invite them by their e-mail address.',
  })).inSettings(),
  companyUnknown: define(404, 'not_found', () => ({
    message: 'There is no such company, or you are not a member of it',
    hint: 'GET /api/session lists your companies.',
  })).inSettings(),
  settingsBodyInvalid: define(400, 'invalid_settings_body', (message: string, hint: string) => ({
    message,
    hint,
  })).inSettings('"email" is no e-mail address', 'Write it as name@example.com.'),
  signUpClosed: define(403, 'signup_closed', () => ({
    message: 'Signing up needs an invitation',
    hint: 'Ask an owner of your company to invite you. The operator can set SIGNUP=open.',
  })).inSettings(),
  emailTaken: define(409, 'email_taken', () => ({
    message: 'There is an account with this e-mail address',
    hint: 'Sign in with it, or reset its password.',
  })).inSettings(),
  signInWrong: define(401, 'invalid_email_or_password', () => ({
    message: 'The e-mail address or the password is wrong',
    hint: 'Try again, or reset the password.',
  })).inSettings(),
  passwordWrong: define(403, 'invalid_password', () => ({
    message: 'The current password is wrong',
    hint: 'Try again, or reset the password.',
  })).inSettings(),
  codeWrong: define(403, 'invalid_code', () => ({
    message: 'The code is wrong',
    hint: 'Type the six digits that your authenticator app shows now. If they stay wrong, check the clock of its device.',
  })).inSettings(),
  recoveryCodeWrong: define(403, 'invalid_code', () => ({
    message: 'The recovery code is wrong, or was used already',
    hint: 'Each works once. Try another one.',
  })).inSettings(),
  codeUsed: define(403, 'code_used', () => ({
    message: 'This code was used already',
    hint: 'Wait for the next one: it comes within 30 seconds.',
  })).inSettings(),
  signInStale: define(401, 'sign_in_stale', () => ({
    message: 'The sign-in took too long, or too many codes were wrong',
    hint: 'Start again with your password.',
  })).inSettings(),
  passkeyWrong: define(403, 'invalid_passkey', () => ({
    message: 'The passkey could not be verified',
    hint: 'Try again, or sign in another way. A passkey that was deleted from the account does not work any more.',
  })).inSettings(),
  passkeyStale: define(403, 'passkey_stale', () => ({
    message: 'The request for the passkey is too old, or was answered already',
    hint: 'Try again: it is valid for five minutes.',
  })).inSettings(),
  passkeyNeeded: define(403, 'passkey_needed', () => ({
    message: 'Sign in with your passkey first',
    hint: 'A company of yours requires two-factor sign-in, so the password alone cannot change how you sign in. If you have lost your passkeys, ask the operator to run "user two-factor-off EMAIL".',
  })).inSettings(),
  passkeysOff: define(409, 'passkeys_off', () => ({
    message: 'Passkeys need https',
    hint: 'Ask the operator to set BASE_URL to an https address with a name: browsers allow no passkeys at an IP address. For development, http://localhost works.',
  })).inSettings(),
  passkeysFull: define(409, 'too_many_passkeys', (max: number) => ({
    message: `An account can have ${max} passkeys`,
    hint: 'Delete one that you no longer use.',
  })).inSettings(20),
  passkeyUnknown: define(404, 'not_found', () => ({
    message: 'Your account has no such passkey',
    hint: 'It may have been deleted. Reload.',
  })).inSettings(),
  twoFactorRequired: define(403, 'two_factor_required', () => ({
    message: 'This company requires two-factor sign-in',
    hint: 'Set it up with POST /api/two-factor/start, or open the settings page, which leads you through it. A sign-in with a passkey counts, too.',
  })).inSettings(),
  companyEnding: define(403, 'company_deleted', () => ({
    message: 'The company is about to be deleted, so nothing can be changed',
    hint: 'An owner can undo the deletion within seven days, on the page "Company", and the operator with "company restore".',
  })).inSettings(),
  oidcAway: define(502, 'oidc_away', () => ({
    message: 'The provider of the sign-in cannot be reached, or none is set',
    hint: 'Sign in with your password, or try again later. The operator checks OIDC_ISSUER.',
  })).inSettings(),
  twoFactorOn: define(409, 'two_factor_on', () => ({
    message: 'Two-factor sign-in is on already',
    hint: 'To use another device, turn it off first, and then on again.',
  })).inSettings(),
  twoFactorOff: define(409, 'two_factor_off', () => ({
    message: 'Two-factor sign-in is not on',
    hint: 'Set it up on the page "Account" first.',
  })).inSettings(),
  passwordUnfit: define(400, 'password_unfit', (min: number, max: number) => ({
    message: `A password must have ${min} to ${max} characters`,
    hint: 'A few words that do not belong together are long and easy to remember.',
  })).inSettings(10, 128),
  passwordUnchanged: define(400, 'password_unfit', () => ({
    message: 'The new password is the one that you have already',
    hint: 'Choose another one.',
  })).inSettings(),
  resetLinkInvalid: define(400, 'invalid_token', () => ({
    message: 'The link is used up or too old',
    hint: 'Ask for a new one: it is good for an hour.',
  })).inSettings(),
  tooManyAttempts: define(429, 'rate_limited', (seconds: number) => ({
    message: 'Too many attempts',
    hint: `Wait ${seconds} seconds and try again.`,
    headers: { 'Retry-After': String(seconds) },
  })).inSettings(60),
  invitationUnknown: define(404, 'invitation_unknown', () => ({
    message: 'The invitation is unknown, or not open any more',
    hint: 'It was used, withdrawn or replaced, ended with the role of whoever sent it, or is older than a week. Ask for a new one.',
  })).inSettings(),
  invitationOnHold: define(403, 'company_deleted', () => ({
    message: 'The company of this invitation is about to be deleted, so nobody can join it',
    hint: 'The link works again if an owner undoes the deletion within its seven days and before the invitation is a week old.',
  })).inSettings(),
  invitationForOther: define(403, 'invitation_for_other', () => ({
    message: 'The invitation is for another e-mail address',
    hint: 'Sign in with the address that was invited.',
  })).inSettings(),
  tooManyInvitations: define(409, 'too_many_invitations', (most: number) => ({
    message: `The company has ${most} open invitations, which is the most`,
    hint: 'Withdraw those that nobody will accept. Each ends by itself after seven days.',
  })).inSettings(500),
  alreadyMember: define(409, 'already_member', () => ({
    message: 'This person is a member already',
    hint: 'Change the role of the member instead.',
  })).inSettings(),
  mailNotSent: define(502, 'mail_not_sent', (cause: unknown) => ({
    message: 'The e-mail with the invitation could not be sent, so nobody was invited',
    hint: 'Check the address. If it is right, ask the operator to look at SMTP_URL and at the mail server.',
    cause,
  })).inSettings(undefined),
  soleOwner: define(409, 'sole_owner', (companies: readonly string[]) => ({
    message: `You are the only owner of ${companies.join(', ')}`,
    hint: 'Make another member an owner, transfer the company, or delete it first.',
  })).inSettings(['Acme']),
  mailOff: define(409, 'mail_off', () => ({
    message: 'This installation sends no mail, so a new address cannot be verified',
    hint: 'Ask the operator to run "user change-email OLD NEW".',
  })).inSettings(),
  messageNotSent: define(502, 'mail_not_sent', (cause: unknown) => ({
    message: 'The e-mail could not be sent',
    hint: 'Check the address. If it is right, ask the operator to look at SMTP_URL and at the mail server.',
    cause,
  })).inSettings(undefined),
  lastOwner: define(409, 'last_owner', () => ({
    message: 'A company needs an owner',
    hint: 'Make another member an owner first.',
  })).inSettings(),
} satisfies Failures

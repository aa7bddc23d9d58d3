import { define, type Failures } from './define.ts'

/** Credentials in the settings page. */
export const credentials = {
  tooManyCredentials: define(409, 'too_many_credentials', (most: number) => ({
    message: `The company has ${most} credentials that are not revoked, which is the most`,
    hint: 'Revoke credentials that nothing uses any more. The operator can raise MAX_CREDENTIALS.',
  })).inSettings(500),
  credentialUnknown: define(404, 'credential_unknown', () => ({
    message: 'There is no such credential',
    hint: 'Look for it in the list of credentials.',
  })).inSettings(),
  requestUnknown: define(404, 'request_unknown', () => ({
    message: 'There is no such request in the log',
    hint: 'Requests are kept for seven days. Of many in one minute, only the first ones are.',
  })).inSettings(),
  secretUnknown: define(404, 'secret_unknown', () => ({
    message: 'The credential has no such live secret',
    hint: 'It may have ended already. Look at the credential again.',
  })).inSettings(),
  credentialEnded: define(409, 'credential_ended', (state: string) => ({
    message: `The credential is ${state}`,
    hint: 'Create a new credential.',
  })).inSettings('revoked'),
  twoSecretsLive: define(409, 'two_secrets_live', () => ({
    message: 'The credential has two live secrets already',
    hint: 'End the old one first, once nothing uses it any more; or rotate with no grace, which ends both.',
  })).inSettings(),
  lastSecret: define(409, 'last_secret', () => ({
    message: 'This is the only live secret of the credential',
    hint: 'Rotate it for a new one, or revoke the credential.',
  })).inSettings(),
} satisfies Failures

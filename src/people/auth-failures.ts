import { type ApiError, failure } from '../errors/index.ts'
import { passwordLength } from './accounts.ts'

const unfit = () => failure.passwordUnfit(passwordLength.min, passwordLength.max)

/** An error code of better-auth → our failure. */
const failures: Readonly<Record<string, () => ApiError>> = {
  INVALID_EMAIL_OR_PASSWORD: failure.signInWrong,
  INVALID_EMAIL: failure.signInWrong,
  INVALID_PASSWORD: failure.passwordWrong,
  PASSWORD_TOO_SHORT: unfit,
  PASSWORD_TOO_LONG: unfit,
  INVALID_TOKEN: failure.resetLinkInvalid,
  USER_NOT_FOUND: failure.resetLinkInvalid,
  PROVIDER_NOT_FOUND: failure.oidcAway,
  INVALID_CODE: failure.codeWrong,
  INVALID_BACKUP_CODE: failure.recoveryCodeWrong,
  INVALID_TWO_FACTOR_COOKIE: failure.signInStale,
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: failure.signInStale,
  CHALLENGE_NOT_FOUND: failure.passkeyStale,
  PASSKEY_NOT_FOUND: failure.passkeyWrong,
  AUTHENTICATION_FAILED: failure.passkeyWrong,
  FAILED_TO_VERIFY_REGISTRATION: failure.passkeyWrong,
  YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY: failure.passkeyStale,
  UNAUTHORIZED: failure.notSignedIn,
  SESSION_EXPIRED: failure.notSignedIn,
  INVALID_ORIGIN: failure.originInvalid,
  MISSING_OR_NULL_ORIGIN: failure.originInvalid,
  CROSS_SITE_NAVIGATION_LOGIN_BLOCKED: failure.originInvalid,
}

/** An error response of better-auth → our failure. */
export async function failureOf(response: Response): Promise<ApiError> {
  const { status, headers } = response
  const { code, message } = parseError(await response.text())
  const known = failures[code]
  if (known) return known()
  if (status === 429) return failure.tooManyAttempts(Number(headers.get('x-retry-after') ?? 60))
  if (status >= 500) return failure.bug(new Error(`better-auth answered ${status}: ${message}`))
  return status === 401 ? failure.notSignedIn() : failure.settingsBodyInvalid(wordsFor(message), 'Check what was sent.')
}

/** `[body.email] Invalid input: …` → a message that names the field only. */
function wordsFor(message: string): string {
  const [, field] = /^\[body\.(\w+)\]/.exec(message) ?? []
  return field ? `"${field}" is missing or not as it should be` : 'The request could not be understood'
}

function parseError(text: string): { readonly code: string; readonly message: string } {
  try {
    const { code = '', message = 'The request could not be understood' } = Object(JSON.parse(text))
    return { code: String(code), message: String(message) }
  } catch {
    return { code: '', message: text }
  }
}

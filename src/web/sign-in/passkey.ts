import { send } from '../api.ts'
import { useSetup } from '../queries.ts'

/** Why passkeys cannot be used here, in words; null where they can, undefined until that is known. */
export function usePasskeyProblem(): string | null | undefined {
  const { data: setup } = useSetup()
  if (!setup) return undefined
  if (!setup.passkeys) return 'Passkeys need https: this installation is set up without it, or without a host name.'
  if (location.origin !== setup.base_url) return `Passkeys work only at ${setup.base_url}.`
  return 'PublicKeyCredential' in window ? null : 'This browser does not support passkeys.'
}

/** Signs in with a passkey that the person chooses; false where they have cancelled. */
export async function signInWithPasskey(): Promise<boolean> {
  const options = await send<RequestOptions>('POST', '/api/auth/passkey/start', {})
  const publicKey = { ...options, challenge: bytesOf(options.challenge) }
  const found = await prompt(() => navigator.credentials.get({ publicKey }))
  if (!found) return false
  const { clientDataJSON, authenticatorData, signature } = found.response as AuthenticatorAssertionResponse
  const parts = { clientDataJSON, authenticatorData, signature }
  await send('POST', '/api/auth/passkey/sign-in', { credential: documentOf(found, parts) })
  return true
}

/** Makes a passkey and adds it to the account; false where the person has cancelled. */
export async function addPasskey(name: string, password: string): Promise<boolean> {
  const options = await send<CreationOptions>('POST', '/api/passkeys/start', { password })
  const { challenge, user, excludeCredentials } = options
  const publicKey = {
    ...options,
    challenge: bytesOf(challenge),
    user: { ...user, id: bytesOf(user.id) },
    excludeCredentials: excludeCredentials.map((one) => ({ ...one, id: bytesOf(one.id) })),
  }
  const made = await prompt(() => navigator.credentials.create({ publicKey }))
  if (!made) return false
  const response = made.response as AuthenticatorAttestationResponse
  const { clientDataJSON, attestationObject } = response
  const credential = documentOf(made, { clientDataJSON, attestationObject })
  const transports = response.getTransports?.() ?? []
  await send('POST', '/api/passkeys', {
    name,
    credential: { ...credential, response: { ...credential.response, transports } },
  })
  return true
}

// Older browsers cannot turn these into JSON and back by themselves.
type InJson<Options, Names extends keyof Options> = Omit<Options, Names> & Readonly<Record<Names, string>>
type RequestOptions = InJson<Omit<PublicKeyCredentialRequestOptions, 'allowCredentials'>, 'challenge'>
interface CreationOptions
  extends InJson<Omit<PublicKeyCredentialCreationOptions, 'user' | 'excludeCredentials'>, 'challenge'> {
  readonly user: InJson<PublicKeyCredentialUserEntity, 'id'>
  readonly excludeCredentials: readonly InJson<PublicKeyCredentialDescriptor, 'id'>[]
}

const documentOf = ({ id, rawId, type }: PublicKeyCredential, parts: Readonly<Record<string, ArrayBuffer>>) => ({
  ...{ id, type, rawId: textOf(rawId) },
  response: Object.fromEntries(Object.entries(parts).map(([name, bytes]) => [name, textOf(bytes)])),
})

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))

const textOf = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** Asks the device. Browsers say the same of a prompt that was cancelled, of one that took too long, and of no passkey at all. */
async function prompt(ask: () => Promise<Credential | null>): Promise<PublicKeyCredential | null> {
  try {
    return (await ask()) as PublicKeyCredential | null
  } catch (error) {
    const name = error instanceof DOMException ? error.name : ''
    if (name === 'NotAllowedError' || name === 'AbortError') return null
    throw new Error(words[name] ?? 'The browser could not use a passkey.', { cause: error })
  }
}

const words: Readonly<Record<string, string>> = {
  InvalidStateError: 'This device already has a passkey for your account.',
  NotSupportedError: 'This device cannot hold a passkey.',
  SecurityError: 'The browser does not allow passkeys at this address.',
}

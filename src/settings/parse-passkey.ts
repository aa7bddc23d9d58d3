import { failure } from '../errors/index.ts'
import { parseText } from '../people/parse.ts'

type Body = Readonly<Record<string, unknown>>

/** What a browser says of a new passkey (`PublicKeyCredential.toJSON`), and nothing else of it. */
export function parseAttestation(body: Body): Body {
  const { credential, response } = partsOf(body)
  const { transports } = response
  return {
    ...credential,
    response: {
      ...texts(response, 'clientDataJSON', 'attestationObject'),
      transports: Array.isArray(transports)
        ? transports.slice(0, 10).flatMap((one) => (typeof one === 'string' ? one.slice(0, 20) : []))
        : [],
    },
  }
}

/** What a browser says of a sign-in with a passkey. */
export function parseAssertion(body: Body): Body {
  const { credential, response } = partsOf(body)
  return { ...credential, response: texts(response, 'clientDataJSON', 'authenticatorData', 'signature') }
}

function partsOf(body: Body) {
  const sent = objectAt(body, 'credential')
  // Ids have up to 1023 bytes.
  if (parseText(sent, 'id').length > 1364) throw failure.settingsBodyInvalid('"id" is too long', 'Send it as it is.')
  return {
    credential: { ...texts(sent, 'id', 'rawId', 'type'), clientExtensionResults: {} },
    response: objectAt(sent, 'response'),
  }
}

const texts = (body: Body, ...names: readonly string[]): Body =>
  Object.fromEntries(names.map((name) => [name, parseText(body, name)]))

function objectAt(body: Body, field: string): Body {
  const value = body[field]
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw failure.settingsBodyInvalid(`"${field}" is missing or no object`, 'Send what the browser has made, as JSON.')
  return { ...value }
}

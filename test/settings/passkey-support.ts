import type { Reply, World } from '../support/world.ts'
import { PasskeyDevice } from './passkey-device.ts'
import { type Browser, behindProxy, newEmail, password, signedIn, visit } from './support.ts'

/** For `onEachEngine`: browsers allow passkeys at an address with a name. */
export const namedSite = { ...behindProxy, BASE_URL: 'http://localhost:8080' } as const

/** Adds a passkey for who is signed in there. */
export async function addPasskey(browser: Browser, device = new PasskeyDevice(namedSite.BASE_URL), name = 'Phone') {
  const options = (await browser.post('/passkeys/start', { password })).json
  const reply = await browser.post('/passkeys', { name, credential: device.create(options) })
  if (reply.status !== 201) throw new Error(`Cannot add a passkey: ${reply.text}`)
  return device
}

export async function signInByPasskey(browser: Browser, device: PasskeyDevice, at = -1): Promise<Reply> {
  const options = (await browser.post('/auth/passkey/start', {})).json
  return browser.post('/auth/passkey/sign-in', { credential: device.get(options, {}, at) })
}

/** A developer of acme with a passkey, and a browser in which they are not signed in. */
export async function prepare(world: World) {
  const email = newEmail()
  const here = await signedIn(world, world.acme.id, 'developer', email)
  const device = await addPasskey(here)
  const [passkey] = (await here.get('/passkeys')).json
  return { email, here, device, id: passkey.id as string, there: visit(world) }
}

import { createTurns } from '../../traffic/turns.ts'
import type { Resolve } from './target.ts'

/** Look-ups under way: of all companies, of each, and in addition for companies that have none. */
const slots = { atOnce: 64, atOnceEach: 8, atOnceAlone: 8, reserved: 32, waitingMax: 1000 }

/** Names that do not exist, and those that have no address. */
const absent = 'DNS_ENOTFOUND'

/**
 * Asks /etc/hosts and the name servers of the system. c-ares waits for them without a thread: the function of the system
 * would keep one of the few that also compress answers and check passwords.
 */
export function createLookUp(): Resolve {
  const turns = createTurns(slots, () => false)
  return async (hostname, companyId) => {
    const slot = await turns.acquire(companyId)
    try {
      return (await Bun.dns.lookup(hostname, { backend: 'c-ares' })).map(({ address }) => address)
    } catch (error) {
      const { code } = error as { readonly code?: string }
      if (code === absent) return []
      throw new Error(`The name servers do not say which addresses ${hostname} has (${code})`)
    } finally {
      turns.release(companyId, slot)
    }
  }
}

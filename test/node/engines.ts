import { describe } from 'node:test'

/** What a test of the clients needs to know of a world. */
export interface WorldFacts {
  readonly engine: 'sqlite' | 'postgres'
  readonly base: string
  readonly acme: TenantFacts
  readonly rival: TenantFacts
}

interface Credential {
  readonly apiKey: string
  readonly apiSecret: string
}

export interface TenantFacts extends Credential {
  readonly bid: string
  readonly project: string
  readonly reader: Credential
}

type Define = (world: object) => void

const suites: (readonly [name: string, define: Define])[] = []

/** In the place of test/support/engines.ts: the worlds are open already, in the process that started this one. */
export const onEachEngine = (name: string, define: Define): void => void suites.push([name, define])

/**
 * To be called when all files are loaded: Node would define suites at once, before what stands behind them in their file.
 * Each suite runs on one engine, by turns: under Bun, all of them run on both.
 */
export function defineSuites(): void {
  const worlds: WorldFacts[] = JSON.parse(process.env.TEST_WORLDS ?? '[]')
  for (const [at, [name, define]] of suites.entries()) {
    const world = worlds[at % worlds.length]
    if (!world) throw new Error('TEST_WORLDS names no world')
    const { engine, base, acme, rival } = world
    describe(`${name} (${engine})`, () => define({ base, acme: tenantOf(acme), rival: tenantOf(rival) }))
  }
}

const tenantOf = ({ reader, ...facts }: TenantFacts) => ({
  ...facts,
  headers: headersOf(facts),
  withCredential: async () => ({ ...facts, ...reader, headers: headersOf(reader) }),
})

const headersOf = ({ apiKey, apiSecret }: Credential) => ({
  apikey: apiKey,
  Authorization: `Bearer ${apiKey}`,
  'X-API-Secret': apiSecret,
})

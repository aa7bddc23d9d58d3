import { failure } from '../errors/index.ts'
import { isWithin, type Network, parseNetwork } from '../traffic/network.ts'
import { type Narrowing, type Operation, operations } from './narrowing.ts'

/** The same, ready to be looked up at each request. */
export interface Rights extends Omit<Narrowing, 'addresses'> {
  readonly networks: readonly Network[] | null
}

/** Null for a credential that is not narrowed, as most are. */
export function rightsOf({ resources, may, addresses }: Narrowing): Rights | null {
  if (resources === null && may === null && addresses === null) return null
  const networks = addresses?.flatMap((text) => parseNetwork(text) ?? []) ?? null
  return { resources, may, networks }
}

/** As it is stored: names with commas between them. */
export const storedList = (list: readonly string[] | null): string | null => list?.join(',') ?? null

/** An empty text is an empty list: it allows nothing. */
export const listOf = (stored: unknown): readonly string[] | null =>
  typeof stored === 'string' ? stored.split(',').filter((name) => name !== '') : null

/** A word that is not known allows nothing. */
export const operationsOf = (stored: unknown): readonly Operation[] | null => {
  const list = listOf(stored)
  return list && operations.filter((operation) => list.includes(operation))
}

export function permitAddress({ networks }: Rights, address: string): void {
  if (networks !== null && !isWithin(networks, address)) throw failure.addressNotAllowed(address)
}

export function permitResource({ resources }: Rights, name: string): void {
  if (resources !== null && !resources.includes(name)) throw failure.resourceNotAllowed(name, resources.join(', '))
}

export function permitOperation({ may }: Rights, operation: Operation): void {
  if (may !== null && !may.includes(operation)) throw failure.operationNotAllowed(operation, may.join(', '))
}

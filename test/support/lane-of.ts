import { Exchange } from '../../src/exchange.ts'

/** What a stranger from an address has a share of. */
export const laneOf = (address: string): string => new Exchange(new Request('http://test/'), () => address).lane()

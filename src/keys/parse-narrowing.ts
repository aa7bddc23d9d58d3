import { parseNetwork } from '../traffic/network.ts'
import { type Narrowing, operations } from './narrowing.ts'

/** Lists of words, as somebody wrote them. Each is null where it narrows nothing. */
type Given = Readonly<Record<keyof Narrowing, readonly string[] | null>>

interface Terms {
  /** The names of all resources. */
  readonly known: readonly string[]
  /** The error for a part that is not as it should be. */
  refuse(part: keyof Narrowing, what: string, hint: string): Error
}

const addressesMax = 50

export function parseNarrowing(given: Given, { known, refuse }: Terms): Narrowing {
  const someOf = <Word extends string>(part: keyof Narrowing, all: readonly Word[]): readonly Word[] | null => {
    const words = given[part]
    if (words === null) return null
    const hint = `Use some of ${all.join(', ')}.`
    const wrong = words.find((word) => !all.some((one) => one === word))
    if (wrong !== undefined) throw refuse(part, `has ${inShort(wrong)}, which is unknown`, hint)
    if (words.length === 0) throw refuse(part, 'is empty', hint)
    return all.filter((one) => words.includes(one))
  }
  return {
    resources: someOf('resources', known),
    may: someOf('may', operations),
    addresses: parseAddresses(given.addresses ?? [], (what, hint) => refuse('addresses', what, hint)),
  }
}

/** No networks at all narrow nothing. */
function parseAddresses(
  given: readonly string[],
  refuse: (what: string, hint: string) => Error,
): readonly string[] | null {
  const networks = [...new Set(given.map((text) => text.trim().toLowerCase()))]
  const hint = `Use at most ${addressesMax}, each like 203.0.113.7, 10.0.0.0/8 or 2001:db8::/32.`
  const wrong = networks.find((text) => !parseNetwork(text))
  if (wrong !== undefined) throw refuse(`has ${inShort(wrong)}, which is no network`, hint)
  if (networks.length > addressesMax) throw refuse('has too many networks', hint)
  return networks.length === 0 ? null : networks
}

const inShort = (word: string): string => `"${word.slice(0, 50).toWellFormed()}"`

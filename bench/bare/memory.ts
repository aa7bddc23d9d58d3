import type { Bare } from './bare.ts'

/** Caches credentials for a second, as the service does. */
export function createMemory({ readCompany }: Bare): Bare['readCompany'] {
  const remembered = new Map<string, { readonly company: string; readonly until: number }>()
  const read = async (keyDigest: string, secretDigest: string): Promise<string> => {
    const company = await readCompany(keyDigest, secretDigest)
    if (company !== '') remembered.set(keyDigest + secretDigest, { company, until: Date.now() + 1000 })
    return company
  }
  return (keyDigest, secretDigest) => {
    const known = remembered.get(keyDigest + secretDigest)
    return known && known.until > Date.now() ? known.company : read(keyDigest, secretDigest)
  }
}

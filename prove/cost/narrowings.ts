import type { Narrowing, Operation } from '../../src/keys/narrowing.ts'

const may: readonly (readonly Operation[])[] = [
  ...[
    ['read', 'create'],
    ['read', 'change'],
    ['read', 'delete'],
    ['read', 'create', 'change'],
  ],
  ...[
    ['read', 'create', 'delete'],
    ['read', 'change', 'delete'],
    ['read', 'create', 'change', 'delete'],
  ],
  ...[['create'], ['change'], ['create', 'change']],
] as const
const resources = [
  ...[
    ['project', 'bid'],
    ['project', 'bid', 'event'],
    ['project', 'bid', 'field'],
    ['project', 'bid', 'event', 'field'],
  ],
] as const

/** Each credential of such a narrowing is shown a document of its own. */
export const narrowings: readonly Narrowing[] = may.flatMap((operations) =>
  resources.map((names) => ({ may: operations, resources: names, addresses: null })),
)

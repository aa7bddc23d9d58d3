import { memoizeText } from '../caches/memoize.ts'
import { all, changes, type Method, writes } from '../methods.ts'

/** One kind of wish in the header `Prefer`. */
interface Preference {
  /** The methods that use it. */
  readonly methods: readonly Method[]
  /** Each value, and what it asks for. Where there is `parse`, the one value stands for many. */
  readonly values: Readonly<Record<string, string>>
  /** `undefined` for what is no value. */
  readonly parse?: (text: string) => string | number | undefined
  /** When it counts, and `Preference-Applied` names it; always where it is absent. */
  readonly applies?: 'with handling=strict'
}

/** Every preference that is known, in the order in which answers name them. */
const preferences = {
  resolution: {
    methods: ['POST'],
    values: {
      'merge-duplicates': 'change rows that are there already',
      'ignore-duplicates': 'leave rows that are there already as they are',
    },
  },
  missing: {
    methods: ['POST', 'PATCH'],
    values: { default: 'fields that a row lacks get their default', null: 'fields that a row lacks are null' },
  },
  return: {
    methods: writes,
    values: {
      representation: 'answer with the rows',
      minimal: 'answer without a body',
      'headers-only': 'answer without a body, with `Location`',
    },
  },
  count: {
    methods: all,
    values: {
      exact: 'count all rows that match, in `Content-Range`',
      planned: 'on reads, the same here as `count=exact`',
      estimated: 'the same here as `count=exact`',
    },
  },
  tx: {
    methods: all,
    values: {
      commit: 'keep what is written, as without it',
      rollback: 'answer as always, but undo what was written: for a trial',
    },
  },
  handling: {
    methods: all,
    values: {
      strict: 'refuse preferences that are not known, and reads that are not scoped to a company',
      lenient: 'ignore preferences that are not known',
    },
  },
  timezone: {
    methods: all,
    values: { NAME: 'show times in this zone, such as `Europe/Berlin`, and take times without an offset to be in it' },
    parse: (text: string) => (isTimeZone(text) ? text : undefined),
  },
  'max-affected': {
    methods: changes,
    values: { N: 'with `handling=strict`: change nothing if it would be more than N rows' },
    parse: (text: string) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined),
    applies: 'with handling=strict',
  },
} as const satisfies Readonly<Record<string, Preference>>

type Rows = typeof preferences
type ValueOf<Row extends Preference> = Row extends { readonly parse: (text: string) => infer Value }
  ? Value
  : keyof Row['values']

/** What a request prefers. */
export type Preferences = { readonly [Name in keyof Rows]?: ValueOf<Rows[Name]> }

// Entries of an object are typed by any text.
export const preferenceRows = Object.entries(preferences) as [keyof Rows, Preference][]

/** The value of a preference that counts for this request. */
export function appliedValue<Name extends keyof Rows>(name: Name, request: Preferring): Preferences[Name] | undefined {
  const { methods, applies }: Preference = preferences[name]
  const isDue = !applies || request.preferences.handling === 'strict'
  return isDue && methods.includes(request.method) ? request.preferences[name] : undefined
}

/** Whether the answer to a write shows its rows. A POST that prefers nothing is answered with what it has created. */
export const wantsRows = ({ method, preferences: { return: shown } }: Preferring): boolean =>
  shown === 'representation' || (method === 'POST' && shown === undefined)

interface Preferring {
  readonly method: Method
  readonly preferences: Preferences
}

/** Whether times are shown in another zone than that in which the store has them. */
export const isOtherZone = (zone: string | undefined): zone is string => zone !== undefined && zone !== 'UTC'

/** There are about 600, and offsets such as +05:30. */
const zonesMax = 1000
/** The longest name has 30 letters. */
const zoneNameMax = 64

const isTimeZone = (name: string): boolean => name.length <= zoneNameMax && isKnownZone(name)

const isKnownZone = memoizeText((name) => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== null
  } catch {
    return false
  }
}, zonesMax)

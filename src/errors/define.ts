import type { Method } from '../methods.ts'
import { ApiError, type Words } from './api-error.ts'

type Place =
  | 'every resource'
  | 'resources that refer'
  | 'resources referred to'
  | 'resources with live streams'
  | 'nothing served'
  | 'settings'
  | 'tools'

/** Makes the error to throw, and knows what the documentation says of it. */
interface Failure<Given extends readonly unknown[]> {
  (...given: Given): ApiError
  readonly status: number
  readonly code: string
  readonly place: Place
  /** Those methods of a resource that can meet it. */
  readonly methods: readonly Method[]
  example(): ApiError
}

export type Failures = Readonly<Record<string, Failure<never>>>

/** A failure with its words. It is complete once it is said where it can occur, and what its words are made of in an example. */
export function define<Given extends readonly unknown[]>(
  status: number,
  code: string,
  say: (...given: Given) => Words,
) {
  const make = (...given: Given): ApiError => new ApiError(status, code, say(...given))
  const occur = (place: Place, methods: readonly Method[], example: Given): Failure<Given> =>
    Object.assign(make, { status, code, place, methods, example: () => make(...example) })
  return {
    on: (methods: readonly Method[], ...example: Given) => occur('every resource', methods, example),
    /** In resources that have a column with the key of another one. */
    whereItRefers: (methods: readonly Method[], ...example: Given) => occur('resources that refer', methods, example),
    whereReferredTo: (methods: readonly Method[], ...example: Given) =>
      occur('resources referred to', methods, example),
    /** In resources whose changes can be streamed. */
    onLive: (methods: readonly Method[], ...example: Given) => occur('resources with live streams', methods, example),
    /** With paths and methods that there are not. */
    notServed: (...example: Given) => occur('nothing served', [], example),
    inSettings: (...example: Given) => occur('settings', [], example),
    inTools: (...example: Given) => occur('tools', [], example),
  }
}

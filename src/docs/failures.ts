import { failure } from '../errors/index.ts'
import type { Method } from '../methods.ts'
import type { Resource } from '../resources/define.ts'
import { resources } from '../resources/index.ts'
import { respondWithError } from '../response/respond-with-error.ts'

type Place = (typeof failure)[keyof typeof failure]['place']

/** A failure as a client sees it. */
export interface Shown {
  readonly name: string
  readonly place: Place
  readonly methods: readonly Method[]
  readonly status: number
  readonly code: string
  readonly message: string
  readonly headers: readonly string[]
  readonly body: Readonly<Record<string, string | null>>
}

let shownFailures: readonly Shown[] | null = null

/** All but those of the settings page and of the tools for agents, which have APIs of their own. */
export const documentedFailures = (): readonly Shown[] => {
  shownFailures ??= showFailures()
  return shownFailures
}

const showFailures = (): Shown[] =>
  Object.entries(failure)
    .filter(([, { place }]) => place !== 'settings' && place !== 'tools')
    .map(([name, { place, methods, status, code, example }]) => {
      const { error, headers, body } = respondWithError(example())
      const shown = { headers: Object.keys(headers), body: JSON.parse(String(body)) }
      return { name, place, methods, status, code, message: error.message, ...shown }
    })

/** The failures that a method can meet. */
export const failuresOf = (method: Method): Shown[] =>
  documentedFailures().filter(({ methods }) => methods.includes(method))

export const occursIn = (resource: Resource, { place }: Shown): boolean => places[place](resource)

const places: Readonly<Record<Place, (resource: Resource) => boolean>> = {
  'every resource': () => true,
  'resources that refer': (resource) => referencesOf(resource).length > 0,
  'resources referred to': ({ name }) => resources.some((other) => referencesOf(other).includes(name)),
  'resources with live streams': ({ isReadOnly }) => !isReadOnly,
  'nothing served': () => false,
  settings: () => false,
  tools: () => false,
}

/** Also of those that the credential may not use: the rows refer to them all the same. */
const referencesOf = ({ columns }: Resource): readonly string[] =>
  [...columns.values()].flatMap(({ references }) => references ?? [])

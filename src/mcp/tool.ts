import type { ObjectSchema } from '../docs/schemas.ts'
import { failure } from '../errors/index.ts'
import type { Method } from '../methods.ts'
import type { Resource } from '../resources/define.ts'
import type { Call } from '../rest/call.ts'

/** What an agent sends to a tool. */
export type Arguments = Readonly<Record<string, unknown>>

/** What a tool asks of /rest/v1. */
export interface Asked {
  readonly query: URLSearchParams
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Arguments
}

/** Something that agents can do with every resource. */
export interface Action {
  readonly verb: string
  readonly method: Method
  readonly title: (resource: Resource) => string
  readonly description: (resource: Resource) => string
  readonly inputSchema: (resource: Resource) => ObjectSchema
  readonly ask: (resource: Resource, given: Arguments) => Asked
  /** The answer as text for the agent. */
  readonly show: (call: Call, given: Arguments) => Promise<string>
}

/** Rows are shown up to this length, because a model has to read them. */
export const resultCharactersMax = 50_000

/** The text that was sent as `name`; `undefined` where it was left out. */
export function textOf(given: Arguments, name: string): string | undefined {
  const value = given[name]
  if (value === undefined || value === null || typeof value === 'string') return value ?? undefined
  throw failure.argumentInvalid(`"${name}" must be a string`, `Send "${name}" in quotes, or leave it out.`)
}

/** Refuses what would be ignored. */
export function refuseOthers(given: Arguments, known: readonly string[]): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw failure.argumentInvalid(`There is no argument "${unknown}"`, `Arguments: ${known.join(', ')}.`)
}

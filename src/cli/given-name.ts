import { nameProblem } from '../people/parse.ts'
import { CommandError } from './command.ts'

/** Checks a name from the command line. `what` is the subject of the error message, such as `The name of a company`. */
export function parseGivenName(what: string, given: string): string {
  const name = given.trim()
  const problem = nameProblem(name)
  if (problem !== null) throw new CommandError(`${what} ${problem}.`, 2)
  return name
}

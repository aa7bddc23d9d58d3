import { hasControls } from '../people/printable.ts'
import { CommandError } from './command.ts'

/** Checks a name from the command line. `what` is the subject of the error message, such as `A company`. */
export function parseGivenName(what: string, name: string): string {
  if (name.trim() === '') throw new CommandError(`${what} needs a name that is not blank.`, 2)
  if (hasControls(name))
    throw new CommandError(`${what} needs a name without control characters and text direction marks.`, 2)
  return name
}

import { type Role, roles } from '../people/roles.ts'
import { CommandError } from './command.ts'

export function parseRole(text: string): Role {
  const role = roles.find((one) => one === text)
  if (!role) throw new CommandError(`--role must be one of ${roles.join(', ')}, but is "${text}".`, 2)
  return role
}

import type { Role } from '../api-types.ts'

export const roles: readonly { readonly value: Role; readonly label: string; readonly description: string }[] = [
  { value: 'developer', label: 'Developer', description: 'Manages credentials and data.' },
  { value: 'viewer', label: 'Viewer', description: 'Sees everything, changes nothing.' },
  { value: 'owner', label: 'Owner', description: 'Also manages members and the company.' },
]

export const roleLabel = (role: Role): string => roles.find(({ value }) => value === role)?.label ?? role

export const isRole = (text: string | null): text is Role => roles.some(({ value }) => value === text)

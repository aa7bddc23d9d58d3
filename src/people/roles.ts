import { failure } from '../errors/index.ts'

/** Highest first. */
export const roles = ['owner', 'developer', 'viewer'] as const
export type Role = (typeof roles)[number]

/** A stored role. An unknown one counts as the lowest. */
export const roleOf = (value: unknown): Role => roles.find((role) => role === value) ?? 'viewer'

/** Throws unless the value is the role or a higher one. null means: not a member. */
export function requireRole(value: unknown, role: Role): void {
  const rank = (roles as readonly unknown[]).indexOf(value)
  if (rank < 0 || rank > roles.indexOf(role)) throw failure.forbidden(`Ask an owner: this takes the role "${role}".`)
}

import { failure } from '../errors/index.ts'

/** The highest first. */
export const roles = ['owner', 'developer', 'viewer'] as const
export type Role = (typeof roles)[number]

/** A role as the database holds it. What it does not know may do least. */
export const roleOf = (value: unknown): Role => roles.find((role) => role === value) ?? 'viewer'

/** Throws unless the value, which may be null for no member at all, is the role or a higher one. */
export function requireRole(value: unknown, role: Role): void {
  const rank = (roles as readonly unknown[]).indexOf(value)
  if (rank < 0 || rank > roles.indexOf(role)) throw failure.forbidden(`Ask an owner: this takes the role "${role}".`)
}

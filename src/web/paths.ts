/** Pages for anyone. `:name` stands for one part of a path. */
export const openPaths = ['/sign-in', '/sign-up', '/forgot', '/reset-password', '/invitation/:token'] as const

/** Pages for those who are signed in, besides those of the resources. */
export const ownPaths = [
  '/',
  '/credentials',
  '/credentials/:id',
  '/members',
  '/activity',
  '/company',
  '/account',
] as const

/** For those who are signed in, and may have no company yet. */
export const newCompanyPath = '/new-company'

/** `/credentials/:id` → what such a path matches, with the part that stands for it. */
export const patternOf = (path: string): RegExp => new RegExp(`^${path.replace(/:[^/]+/, '([^/]+)')}$`)

/** Pages for anyone. `:name` stands for one part of a path. */
export const openPaths = [
  '/sign-in',
  '/sign-up',
  '/forgot',
  '/reset-password',
  '/confirm-email',
  '/invitation/:token',
] as const

/** Pages for members of a company, besides those of the resources. They are under `/c/<company>`. */
export const ownPaths = [
  '/',
  '/credentials',
  '/credentials/:id',
  '/requests',
  '/fields',
  '/webhooks',
  '/webhooks/:id',
  '/members',
  '/activity',
  '/company',
  '/account',
] as const

/** The API reference, `/docs`, is a page of its own outside of the app. */
export const isReference = (path: string): boolean => /^\/docs(?:[?#]|$)/.test(path)

/** Also for those who are in no company. */
export const accountPath = '/account'

/** For those who are signed in, and may have no company yet. */
export const newCompanyPath = '/new-company'

/** `/` → `/c/0189…`, `/members` → `/c/0189…/members` */
export const pathIn = (companyId: string, path: string): string => `/c/${companyId}${path === '/' ? '' : path}`

/** `/c/0189…/members` → the company's id and `/members`. A path without a company is of older links. */
export function splitPath(path: string): { readonly companyId: string | null; readonly path: string } {
  const [, companyId, rest] = /^\/c\/([0-9a-f-]{36})(\/.*)?$/.exec(path) ?? []
  return companyId === undefined ? { companyId: null, path } : { companyId, path: rest || '/' }
}

/** `/credentials/:id` → what such a path matches, with the part that stands for it. */
export const patternOf = (path: string): RegExp => new RegExp(`^${path.replace(/:[^/]+/, '([^/]+)')}$`)

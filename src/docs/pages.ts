import { dependencies } from '../../package.json'
import { memoize } from '../caches/memoize.ts'
import { referenceScript } from '../packaging.ts'
import type { Resource } from '../resources/define.ts'
import { resources as builtIn } from '../resources/index.ts'
import { openapiText } from './openapi.ts'
import { pageText, startText } from './reference-page.ts'
import { swaggerText } from './swagger.ts'

/** Something to read about the API, the same for everyone. */
export interface Page {
  readonly contentType: string
  /** What a client may ask for to get it; anything where it is absent. */
  readonly mediaTypes?: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  /** The same in an older form, for clients whose Accept header asks for it. */
  readonly older?: { readonly wanted: RegExp; readonly page: Page }
  read(): Promise<string>
}

const scalarPath = `/docs/scalar-${dependencies['@scalar/api-reference']}.js`
const startPath = '/docs/start.js'
const documentPath = '/rest/v1/'

/** Nothing but what this server itself sends may run, load or be asked. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  // The reference writes its style sheet into the page.
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** A company's own columns are for those who have its credential. */
const openapiVary = 'Accept, Accept-Encoding, apikey, Authorization, X-API-Secret'

const openapiTypes = ['application/openapi+json', 'application/json']

/** `baseUrl` is null where it is not known from where clients reach the server. */
function openapiPage(baseUrl: string | null, resources: readonly Resource[]): Page {
  const common = { mediaTypes: openapiTypes, headers: { Vary: openapiVary } }
  const swagger: Page = {
    ...common,
    contentType: 'application/openapi+json;version=2.0; charset=utf-8',
    read: async () => swaggerText(baseUrl, resources),
  }
  return {
    ...common,
    contentType: 'application/openapi+json; charset=utf-8',
    older: { wanted: /application\/openapi\+json\s*;\s*version\s*=\s*"?2(?:\.0)?\b/i, page: swagger },
    read: async () => openapiText(baseUrl, resources),
  }
}

const script = { contentType: 'text/javascript; charset=utf-8' } as const

/** Finds a page by its path. The description of the API tells the resources as a company knows them. */
export type FindPage = (path: string, resources?: readonly Resource[]) => Page | null

export function createPages(baseUrl: string | null): FindPage {
  const openapiOf = memoize((resources: readonly Resource[]) => openapiPage(baseUrl, resources))
  return (path, resources = builtIn) => {
    if (isDescription(path)) return openapiOf(resources)
    return Object.hasOwn(referencePages, path) ? (referencePages[path] ?? null) : null
  }
}

/** Whether a page describes the API. */
export const isDescription = (path: string): boolean => path === '/rest/v1' || path === documentPath

const referencePages: Readonly<Record<string, Page>> = {
  '/docs': {
    contentType: 'text/html; charset=utf-8',
    headers: { 'Content-Security-Policy': contentSecurityPolicy },
    read: async () => pageText([scalarPath, startPath]),
  },
  [startPath]: { ...script, headers: {}, read: async () => startText(documentPath) },
  // The version is part of the path, so that a copy never grows old.
  [scalarPath]: {
    ...script,
    headers: { 'Cache-Control': 'public, max-age=31536000, immutable' },
    read: () => referenceScript().text(),
  },
}

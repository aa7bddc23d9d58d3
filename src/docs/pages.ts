import { dependencies } from '../../package.json'
import { referenceScript } from '../packaging.ts'
import { openapiText } from './openapi.ts'
import { pageText, startText } from './reference-page.ts'

/** Something to read about the API, the same for everyone. */
export interface Page {
  readonly contentType: string
  /** What a client may ask for to get it; anything where it is absent. */
  readonly mediaTypes?: readonly string[]
  readonly headers: Readonly<Record<string, string>>
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

const openapi: Page = {
  contentType: 'application/openapi+json; charset=utf-8',
  mediaTypes: ['application/openapi+json', 'application/json'],
  headers: {},
  read: async () => openapiText(),
}

const script = { contentType: 'text/javascript; charset=utf-8' } as const

/** Every page by its path. */
const pages: Readonly<Record<string, Page>> = {
  '/rest/v1': openapi,
  [documentPath]: openapi,
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

export const findPage = (path: string): Page | null => (Object.hasOwn(pages, path) ? (pages[path] ?? null) : null)

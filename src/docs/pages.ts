import { memoize } from '../caches/memoize.ts'
import { builtNames } from '../packaging.ts'
import type { Resource } from '../resources/define.ts'
import { resources as builtIn } from '../resources/index.ts'
import { openapiParts, openapiText } from './openapi.ts'
import { type PageFiles, referencePageText } from './page/reference-page.ts'
import { swaggerText } from './swagger.ts'

/** Something to read about the API. */
export interface Page {
  readonly contentType: string
  /** What a client may ask for to get it; anything where it is absent. */
  readonly mediaTypes?: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  /** The same in an older form, for clients whose Accept header asks for it. */
  readonly older?: { readonly wanted: RegExp; readonly page: Page }
  /** Its text, made part by part. */
  parts(): Iterable<string>
}

export interface Pages {
  /** A page for everybody, by its path. */
  find(path: string): Page | null
  /** Those for everybody, in every form. */
  readonly shared: readonly Page[]
  /** The description of the API with the resources as a company knows them, as far as one may use them. */
  describe(resources: readonly Resource[]): Page
}

/** `baseUrl` is null where it is not known from where clients reach the server. */
export function createPages(baseUrl: string | null): Pages {
  const describe = memoize((resources: readonly Resource[]) => openapiPage(baseUrl, resources))
  const reference = referencePage(baseUrl)
  const everybodys = describe(builtIn)
  return {
    shared: [everybodys, ...(everybodys.older ? [everybodys.older.page] : []), reference],
    find: (path) => (isDescription(path) ? everybodys : path === '/docs' ? reference : null),
    describe: (resources) => describe(resources),
  }
}

/** Whether a page describes the API. */
export const isDescription = (path: string): boolean => path === '/rest/v1' || path === '/rest/v1/'

/** A company's own columns are for those who have its credential. */
const openapiVary = 'Accept, Accept-Encoding, apikey, Authorization, X-API-Secret'

const openapiTypes = ['application/openapi+json', 'application/json']

function openapiPage(baseUrl: string | null, resources: readonly Resource[]): Page {
  const common = { mediaTypes: openapiTypes, headers: { Vary: openapiVary } }
  const swagger: Page = {
    ...common,
    contentType: 'application/openapi+json;version=2.0; charset=utf-8',
    parts: () => [swaggerText(baseUrl, resources)],
  }
  return {
    ...common,
    contentType: 'application/openapi+json; charset=utf-8',
    older: { wanted: /application\/openapi\+json\s*;\s*version\s*=\s*"?2(?:\.0)?\b/i, page: swagger },
    parts: () => openapiParts(baseUrl, resources),
  }
}

const referencePage = (baseUrl: string | null): Page => ({
  contentType: 'text/html; charset=utf-8',
  headers: { 'Content-Security-Policy': contentSecurityPolicy },
  parts: () => [referencePageText(JSON.parse(openapiText(baseUrl)), filesOf(builtNames()))],
})

/** Nothing but what this server itself sends may run, load or be asked. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** `assets/api-reference-2a8f.css` → `/assets/api-reference-2a8f.css` */
function filesOf(names: readonly string[]): PageFiles {
  const find = (pattern: RegExp) => names.filter((name) => pattern.test(name)).map((name) => `/${name}`)[0] ?? null
  return {
    icon: find(/^assets\/icon-[^/]+\.svg$/),
    styles: find(/^assets\/api-reference-[^/]+\.css$/),
    firstPaint: find(/^assets\/first-paint-[^/]+\.js$/),
    script: find(/^assets\/api-reference-[^/]+\.js$/),
  }
}

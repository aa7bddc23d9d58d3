import { randomBytes } from 'node:crypto'
import { createChooser } from '../coding/choose-coding.ts'
import type { PageAnswer } from '../docs/respond-with-page.ts'
import { failure } from '../errors/index.ts'
import { isRead } from '../methods.ts'
import { builtFile, builtNames } from '../packaging.ts'
import { listedResources } from '../resources/index.ts'
import { pagePathOf } from '../resources/labels.ts'
import { newCompanyPath, openPaths, ownPaths, patternOf, splitPath } from '../web/paths.ts'

/** The pages of the settings app. All are the same file; the app decides in the browser which page to show. */
const pagesOfCompany = [...ownPaths, ...listedResources.map(pagePathOf)].map(patternOf)
const otherPages = [...openPaths, newCompanyPath].map(patternOf)

/** Links from before companies were part of the address lead on from a path without one. */
function isPage(fullPath: string): boolean {
  const { path } = splitPath(fullPath)
  if (!isText(path)) return false
  return pagesOfCompany.some((page) => page.test(path)) || otherPages.some((page) => page.test(fullPath))
}

/** `%E0%A4%A` is half of a character. */
function isText(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

export interface WebFile {
  /** For the log instead of the path, which may contain the secret of an invitation. */
  readonly route: string
  respond(http: Request): Promise<PageAnswer>
}

/** A file of the settings app, or null for any other path. */
export function findWebFile(path: string): WebFile | null {
  const [, name] = /^\/assets\/(.+)/.exec(path) ?? []
  if (name !== undefined) return { route: '/assets/:name', respond: (http) => respondWithAsset(http, name) }
  return isPage(path) ? { route: '/:page', respond: respondWithApp } : null
}

async function respondWithApp({ method }: Request): Promise<PageAnswer> {
  refuseOtherMethods(method)
  const files = await loadFiles()
  return files ? appOf(files, 200) : notBuilt
}

/** What a browser shows at an address that does not exist. Programs get the JSON error. */
export async function respondWithUnknown({ method, headers }: Request, path: string): Promise<PageAnswer> {
  const files = isRead(method) && wantsPage(path, headers.get('accept')) ? await loadFiles() : null
  if (!files) throw failure.pathUnknown()
  return appOf(files, 404)
}

/** Browsers ask for HTML by its name; curl and `fetch` accept anything. */
const wantsPage = (path: string, accept: string | null): boolean =>
  !/^\/(?:rest|api)(?:\/|$)/.test(path) && /\btext\/html\b/i.test(accept ?? '')

function appOf({ page }: WebFiles, status: number): PageAnswer {
  // The components create style sheets at run time, which the policy allows by this nonce.
  const nonce = randomBytes(18).toString('base64')
  return {
    status,
    headers: {
      ...pageHeaders,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `${contentSecurityPolicy}; style-src 'self' 'nonce-${nonce}'`,
    },
    body: page.replace('{nonce}', nonce).replace('{status}', String(status)),
  }
}

const pageHeaders = { 'Cache-Control': 'no-cache' }

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

const notBuilt: PageAnswer = {
  status: 503,
  headers: { ...pageHeaders, 'Content-Type': 'text/plain; charset=utf-8' },
  body: 'The settings page is not built yet. Run "npm run build:web", then load this page again.\n',
}

async function respondWithAsset(http: Request, name: string): Promise<PageAnswer> {
  const { method, headers } = http
  refuseOtherMethods(method)
  const asset = (await loadFiles())?.assets.get(name)
  if (!asset) return respondWithUnknown(http, '/assets')
  const coding = chooseFileCoding(headers.get('accept-encoding')) ?? 'identity'
  const etag = `"${name}.${coding}"`
  const common = { ETag: etag, Vary: 'Accept-Encoding', 'Cache-Control': 'public, max-age=31536000, immutable' }
  if (headers.get('if-none-match')?.includes(etag)) return { status: 304, headers: common, body: null }
  return {
    status: 200,
    headers: {
      ...common,
      'Content-Type': asset.contentType,
      ...(coding === 'identity' ? {} : { 'Content-Encoding': coding }),
    },
    body: asset.bytes[coding],
  }
}

function refuseOtherMethods(method: string): void {
  if (!isRead(method)) throw failure.methodUnsupported(method, 'GET,HEAD')
}

/** In order of preference. */
const codings = ['br', 'gzip'] as const
const chooseFileCoding = createChooser(codings)
type Coding = (typeof codings)[number] | 'identity'

const endings: Readonly<Record<Coding, string>> = { br: '.br', gzip: '.gz', identity: '' }

interface Asset {
  readonly contentType: string
  readonly bytes: Readonly<Record<Coding, Uint8Array<ArrayBuffer>>>
}

interface WebFiles {
  readonly page: string
  readonly assets: ReadonlyMap<string, Asset>
}

let cached: Promise<WebFiles | null> | null = null

/** Read on first use, then cached. Missing files are not cached, because they may be built later. */
async function loadFiles(): Promise<WebFiles | null> {
  cached ??= readFiles()
  const files = await cached
  if (!files) cached = null
  return files
}

async function readFiles(): Promise<WebFiles | null> {
  const names = builtNames().flatMap((name) => /^assets\/(.+)(?<!\.br|\.gz)$/.exec(name)?.[1] ?? [])
  if (names.length === 0) return null
  const assets = await Promise.all(names.map(async (name) => [name, await readAsset(name)] as const))
  return { page: await builtFile('index.html').text(), assets: new Map(assets) }
}

async function readAsset(name: string): Promise<Asset> {
  const read = (coding: Coding) => builtFile(`assets/${name}${endings[coding]}`).bytes()
  const [br, gzip, identity] = await Promise.all([read('br'), read('gzip'), read('identity')])
  return {
    contentType: contentTypes[name.replace(/^.*\./, '')] ?? 'application/octet-stream',
    bytes: { br, gzip, identity },
  }
}

const contentTypes: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
}

import { randomBytes } from 'node:crypto'
import { acceptsEncoding, type PageAnswer } from '../docs/respond-with-page.ts'
import { failure } from '../errors/index.ts'
import { builtFile, builtNames } from '../packaging.ts'
import { resources } from '../resources/index.ts'
import { pagePathOf } from '../resources/labels.ts'
import { newCompanyPath, openPaths, ownPaths, patternOf } from '../web/paths.ts'

/** The pages of the settings app. All are one file: which of them is shown is the business of the browser. */
const pages = [...openPaths, ...ownPaths, newCompanyPath, ...resources.map(pagePathOf)].map(patternOf)

export interface WebFile {
  /** What the log calls it: a path itself may be an invitation, which is nobody else's business. */
  readonly route: string
  respond(http: Request): Promise<PageAnswer>
}

/** What the settings app is made of, or null where a path leads elsewhere. */
export function findWebFile(path: string): WebFile | null {
  const [, name] = /^\/assets\/(.+)/.exec(path) ?? []
  if (name !== undefined) return { route: '/assets/:name', respond: (http) => respondWithAsset(http, name) }
  return pages.some((page) => page.test(path)) ? { route: '/:page', respond: respondWithApp } : null
}

async function respondWithApp({ method }: Request): Promise<PageAnswer> {
  refuseOtherMethods(method)
  const files = await keep()
  if (!files) return notBuilt
  // The components write style sheets of their own: they are known by this word, which nobody can guess.
  const nonce = randomBytes(18).toString('base64')
  return {
    status: 200,
    headers: {
      ...pageHeaders,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `${contentSecurityPolicy}; style-src 'self' 'nonce-${nonce}'`,
    },
    body: files.page.replace('{nonce}', nonce),
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

async function respondWithAsset({ method, headers }: Request, name: string): Promise<PageAnswer> {
  refuseOtherMethods(method)
  const asset = (await keep())?.assets.get(name)
  if (!asset) throw failure.pathUnknown()
  const coding = codings.find((one) => acceptsEncoding(headers.get('accept-encoding'), one)) ?? 'identity'
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
  if (method !== 'GET' && method !== 'HEAD') throw failure.methodUnsupported(method, 'GET,HEAD')
}

/** The best first. */
const codings = ['br', 'gzip'] as const
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

let kept: Promise<WebFiles | null> | null = null

/** Read once, when they are first asked for, and kept. Files that are not there yet may be there later. */
async function keep(): Promise<WebFiles | null> {
  kept ??= read()
  const files = await kept
  if (!files) kept = null
  return files
}

async function read(): Promise<WebFiles | null> {
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
}

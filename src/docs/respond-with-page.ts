import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { createChooser } from '../coding/choose-coding.ts'
import { failure } from '../errors/index.ts'
import { isRead } from '../methods.ts'
import type { Answer } from '../response/answer.ts'
import type { Page } from './pages.ts'

/** An answer that may be compressed. */
export interface PageAnswer extends Omit<Answer, 'body'> {
  readonly body: string | Uint8Array<ArrayBuffer> | null
}

const allow = 'OPTIONS,GET,HEAD'

export async function respondWithPage({ method, headers }: Request, newest: Page): Promise<PageAnswer> {
  if (method === 'OPTIONS') return { status: 200, headers: { Allow: allow }, body: null }
  if (!isRead(method)) throw failure.methodUnsupported(method, allow)
  const accept = headers.get('accept')
  refuseOtherTypes(accept, newest)
  const page = newest.older?.wanted.test(accept ?? '') ? newest.older.page : newest
  const { text, zipped, tag } = await keep(page)
  const zips = choosePageCoding(headers.get('accept-encoding')) === 'gzip'
  const etag = zips ? `"${tag}.gzip"` : `"${tag}"`
  const common = { ETag: etag, Vary: 'Accept, Accept-Encoding', ...page.headers }
  if (headers.get('if-none-match')?.includes(etag)) return { status: 304, headers: common, body: null }
  return {
    status: 200,
    headers: { 'Content-Type': page.contentType, ...(zips ? { 'Content-Encoding': 'gzip' } : {}), ...common },
    body: zips ? zipped : text,
  }
}

function refuseOtherTypes(accept: string | null, { mediaTypes }: Page): void {
  if (accept === null || !mediaTypes) return
  const wanted = accept.split(',').map((range) => range.split(';', 1)[0]?.trim().toLowerCase() ?? '')
  const fits = (range: string) => range === '*/*' || range === 'application/*' || mediaTypes.includes(range)
  if (!wanted.some(fits)) throw failure.mediaTypeUnavailable(accept, mediaTypes.join(', '))
}

const choosePageCoding = createChooser(['gzip'])

interface Kept {
  readonly text: string
  readonly zipped: Uint8Array<ArrayBuffer>
  readonly tag: string
}

const kept = new WeakMap<Page, Promise<Kept>>()

/** Made and compressed once, when it is first asked for, and kept. */
function keep(page: Page): Promise<Kept> {
  const known = kept.get(page)
  if (known) return known
  const made = make(page)
  kept.set(page, made)
  // What could not be made now may be possible later.
  made.catch(() => kept.delete(page))
  return made
}

async function make(page: Page): Promise<Kept> {
  const text = page.read()
  const zipped = new Uint8Array(await promisify(gzip)(text, { level: 9 }))
  return { text, zipped, tag: Bun.hash(text).toString(36) }
}

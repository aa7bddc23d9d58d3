import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { type Coding, createChooser } from '../coding/choose-coding.ts'
import { failure } from '../errors/index.ts'
import { isRead } from '../methods.ts'
import { rangesMax } from '../request/parse-accept.ts'
import type { Answer } from '../response/answer.ts'
import type { Page } from './pages.ts'

/** An answer that may be compressed. */
export interface PageAnswer extends Omit<Answer, 'body'> {
  readonly body: string | Uint8Array<ArrayBuffer> | null
}

const allow = 'OPTIONS,GET,HEAD'

/** When the next part of a page may be made, after one of so many characters: null for now. */
export type Turn = (characters: number) => Promise<void> | null

/** A page for everybody: made and compressed once, and kept. */
export async function respondWithPage(http: Request, newest: Page, turn: Turn): Promise<PageAnswer> {
  if (http.method === 'OPTIONS') return methods
  const page = choosePage(http, newest)
  const { text, zipped, tag } = await keepPage(page, turn)
  const coding = choosePageCoding(http.headers.get('accept-encoding'))
  const { status, headers } = headOf(http, page, { tag, coding })
  if (status === 304) return { status, headers, body: null }
  return coding === null
    ? { status, headers, body: text }
    : { status, headers: { ...headers, 'Content-Encoding': coding }, body: zipped }
}

/** How a page is made for one company. */
export interface Making {
  readonly turn: Turn
  /** How it is compressed on its way. */
  readonly coding: Coding | null
}

/** A page for one company, which may be long: made part by part for each answer. Nothing of it is kept but its tag. */
export async function streamPage(http: Request, newest: Page, { turn, coding }: Making): Promise<Answer> {
  if (http.method === 'OPTIONS') return methods
  const page = choosePage(http, newest)
  const head = headOf(http, page, { tag: await keepTag(page, turn), coding })
  if (head.status === 304) return { ...head, body: null }
  const body = http.method === 'HEAD' ? null : inTurns(page.parts(), turn)
  return coding === null ? { ...head, body } : { ...head, body, coding }
}

const methods = { status: 200, headers: { Allow: allow }, body: null }

function choosePage({ method, headers }: Request, newest: Page): Page {
  if (!isRead(method)) throw failure.methodUnsupported(method, allow)
  const accept = headers.get('accept')
  refuseOtherTypes(accept, newest)
  return newest.older?.wanted.test(accept ?? '') ? newest.older.page : newest
}

interface Tagged {
  readonly tag: string
  readonly coding: string | null
}

function headOf(http: Request, page: Page, { tag, coding }: Tagged): Pick<Answer, 'status' | 'headers'> {
  const etag = coding === null ? `"${tag}"` : `"${tag}.${coding}"`
  const headers = { ETag: etag, Vary: 'Accept, Accept-Encoding', ...page.headers }
  return http.headers.get('if-none-match')?.includes(etag)
    ? { status: 304, headers }
    : { status: 200, headers: { 'Content-Type': page.contentType, ...headers } }
}

function refuseOtherTypes(accept: string | null, { mediaTypes }: Page): void {
  if (accept === null || !mediaTypes) return
  const wanted = accept.split(',', rangesMax).map((range) => range.split(';', 1)[0]?.trim().toLowerCase() ?? '')
  const fits = (range: string) => range === '*/*' || range === 'application/*' || mediaTypes.includes(range)
  if (!wanted.some(fits)) throw failure.mediaTypeUnavailable(accept, mediaTypes.join(', '))
}

const choosePageCoding = createChooser(['gzip'])

interface Kept {
  readonly text: string
  readonly zipped: Uint8Array<ArrayBuffer>
  readonly tag: string
}

/** Where it is asked for beforehand, no request has to wait for it. */
export const keepPage = once(async (page, turn): Promise<Kept> => {
  let text = ''
  for await (const part of inTurns(page.parts(), turn)) text += part
  const zipped = new Uint8Array(await promisify(gzip)(text, { level: 9 }))
  return { text, zipped, tag: Bun.hash(text).toString(36) }
})

/** It goes by the whole text, so that the page is made once more than it is sent. */
const keepTag = once(async (page, turn) => {
  let hash = 0n
  for await (const part of inTurns(page.parts(), turn)) hash = BigInt(Bun.hash(part, hash))
  return hash.toString(36)
})

async function* inTurns(parts: Iterable<string>, turn: Turn): AsyncGenerator<string> {
  await turn(0)
  for (const part of parts) {
    yield part
    await turn(part.length)
  }
}

/** Keeps what is made of a page. */
function once<Result>(make: (page: Page, turn: Turn) => Promise<Result>): typeof make {
  const kept = new WeakMap<Page, Promise<Result>>()
  return (page, turn) => {
    const known = kept.get(page)
    if (known) return known
    const made = make(page, turn)
    kept.set(page, made)
    // What could not be made now may be possible later.
    made.catch(() => kept.delete(page))
    return made
  }
}

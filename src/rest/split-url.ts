import type { Address } from './call.ts'

/** The parts of a URL: the path decoded, the query as it was sent. */
export interface Target extends Address {
  readonly path: string
}

export const restPath = '/rest/v1/'

/** More than the path of any route has. A path of 128 KiB can have as many thousand, and costs no more than this. */
export const segmentsMax = 16

/** `http://host/rest/v1/project?query` → /rest/v1/project, project (empty for any other path) and query. */
export function splitUrl(url: string): Target {
  // Without a Host header there is nothing but the path.
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('//') + 2)
  const question = url.indexOf('?', start)
  const sent = question < 0 ? url.slice(start) : url.slice(start, question)
  const path = sent.includes('%') ? decodePath(sent) : sent
  const name = path.startsWith(restPath) ? path.slice(restPath.length) : ''
  return { path, name: name.includes('/') ? '' : name, queryText: question < 0 ? '' : url.slice(question + 1) }
}

/** What stands behind the segments of any route stays as it was sent. */
function decodePath(sent: string): string {
  const segments = sent.split('/', segmentsMax)
  return segments.map(decodeSegment).join('/') + sent.slice(segments.join('/').length)
}

/** `pro%6Aect` → project. What is no text, or would be more than one segment, stays as it was sent. */
function decodeSegment(segment: string): string {
  try {
    const decoded = decodeURIComponent(segment)
    return decoded.includes('/') ? segment : decoded
  } catch {
    return segment
  }
}

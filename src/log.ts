import { writeSync } from 'node:fs'
import { scrub } from './scrub.ts'

type Fields = Readonly<Record<string, string | number | boolean | null | undefined>>

/** One line for each event. */
export interface Log {
  info(event: string, fields: Fields): void
  error(event: string, fields: Fields & { readonly cause?: string | undefined }): void
  /** Writes out what is still waiting. */
  flush(): void
}

/** Lines wait this long at most, so that many requests share one write. */
const waitMs = 50
const waitingMax = 64 * 1024

export function createLog(format: 'json' | 'text' | 'off', write: (text: string) => unknown = writeAll): Log {
  let waiting = ''
  let timer: ReturnType<typeof setTimeout> | null = null

  function flush(): void {
    if (timer) clearTimeout(timer)
    timer = null
    const text = waiting
    waiting = ''
    if (text !== '') write(text)
  }

  function add(level: 'info' | 'error', event: string, fields: Fields): void {
    if (format === 'off') return
    waiting += `${scrub(format === 'json' ? jsonLine(level, event, fields) : textLine(level, event, fields))}\n`
    if (waiting.length > waitingMax) flush()
    timer ??= setTimeout(flush, waitMs)
  }

  return {
    info: (event, fields) => add('info', event, fields),
    error: (event, fields) => add('error', event, fields),
    flush,
  }
}

function jsonLine(level: string, event: string, fields: Fields): string {
  return JSON.stringify({ time: new Date().toISOString(), level, event, ...fields })
}

function textLine(level: string, event: string, fields: Fields): string {
  const words = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [`${name}=${value}`],
  )
  return `${new Date().toISOString().slice(11, 23)} ${level === 'error' ? 'ERROR ' : ''}${event} ${words.join(' ')}`
}

/** So many bytes in one go stay together in a pipe, whoever else writes to it: the lines of workers must not mix. */
const togetherBytes = 4096

function writeAll(text: string): void {
  const bytes = Buffer.from(text)
  for (let at = 0, end = 0; at < bytes.length; ) {
    if (at >= end) end = endOfLines(bytes, at)
    try {
      at += writeSync(1, bytes, at, end - at)
    } catch (error) {
      // A full pipe is waited for; a reader that is gone needs no lines any more.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return
      Bun.sleepSync(1)
    }
  }
}

/** Behind the last whole line that goes together with the first. */
function endOfLines(bytes: Buffer, start: number): number {
  if (bytes.length - start <= togetherBytes) return bytes.length
  const end = bytes.lastIndexOf(10, start + togetherBytes - 1) + 1
  return end > start ? end : bytes.indexOf(10, start) + 1 || bytes.length
}

import { createOutput, type Output } from '../output/create-output.ts'
import { openStandardStream } from '../output/open-standard-stream.ts'
import { scrub } from './scrub.ts'

type Fields = Readonly<Record<string, string | number | boolean | null | undefined>>

/** From the least important. */
const levels = ['debug', 'info', 'warn', 'error'] as const
type Level = (typeof levels)[number]

/** One line for each event. */
export interface Log extends Readonly<Record<Level, (event: string, fields: Fields) => void>> {
  /** Text for people, printed even if the log is off. A log in JSON stays JSON: then it is printed on standard error. */
  print(text: string): void
  /** Resolves when everything is written, or after a second, in case nobody reads it. */
  flush(): Promise<void>
}

type Format = 'json' | 'text' | 'off'

/** Events below `least` are left out. */
export function createLog(format: Format, least: Level = 'info', output?: Output): Log {
  const makeLine = format === 'text' ? textLine : jsonLine
  const line = (level: Level, event: string, fields: Fields) => `${printable(scrub(makeLine(level, event, fields)))}\n`
  const describeDropped = (lines: number) => (format === 'off' ? '' : line('error', 'log_dropped', { lines }))
  const lines = output ?? createOutput(describeDropped)
  let notices: Output | null = null
  const openNotices = () => (format === 'json' ? createOutput(() => '', openStandardStream('error')) : lines)
  const writer = (level: Level): Log[Level] =>
    format === 'off' || levels.indexOf(level) < levels.indexOf(least)
      ? () => {}
      : (event, fields) => lines.write(line(level, event, fields))
  return {
    debug: writer('debug'),
    info: writer('info'),
    warn: writer('warn'),
    error: writer('error'),
    print: (text) => {
      notices ??= openNotices()
      notices.write(text)
    },
    flush: async () => {
      await Promise.all([lines.flush(), notices?.flush()])
    },
  }
}

function jsonLine(level: Level, event: string, fields: Fields): string {
  return JSON.stringify({ time: new Date().toISOString(), level, event, ...fields })
}

function textLine(level: Level, event: string, fields: Fields): string {
  const words = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [`${name}=${value}`],
  )
  const label = level === 'error' || level === 'warn' ? `${level.toUpperCase()} ` : ''
  return `${new Date().toISOString().slice(11, 23)} ${label}${event} ${words.join(' ')}`
}

/** Characters that end a line, control a terminal, or change the direction of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for.
const unprintable = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Prevents log injection: a value cannot start a line or control the reader's terminal. */
const printable = (text: string): string =>
  text.replace(unprintable, (character) =>
    character === '\n' ? '\\n' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

import { createOutput, type Output } from '../output/create-output.ts'
import { scrub } from './scrub.ts'

type Fields = Readonly<Record<string, string | number | boolean | null | undefined>>

/** One line for each event. */
export interface Log {
  info(event: string, fields: Fields): void
  error(event: string, fields: Fields & { readonly cause?: string | undefined }): void
  /** Unformatted text, printed even if the log is off. */
  print(text: string): void
  /** Resolves when everything is written, or after a second, in case nobody reads it. */
  flush(): Promise<void>
}

type Format = 'json' | 'text' | 'off'

export function createLog(format: Format, output?: Output): Log {
  const makeLine = format === 'text' ? textLine : jsonLine
  const line = (level: Level, event: string, fields: Fields) => `${printable(scrub(makeLine(level, event, fields)))}\n`
  const describeDropped = (lines: number) => (format === 'off' ? '' : line('error', 'log_dropped', { lines }))
  const { write, flush } = output ?? createOutput(describeDropped)
  const add = (level: Level, event: string, fields: Fields) => {
    if (format !== 'off') write(line(level, event, fields))
  }
  return {
    info: (event, fields) => add('info', event, fields),
    error: (event, fields) => add('error', event, fields),
    print: write,
    flush,
  }
}

type Level = 'info' | 'error'

function jsonLine(level: Level, event: string, fields: Fields): string {
  return JSON.stringify({ time: new Date().toISOString(), level, event, ...fields })
}

function textLine(level: Level, event: string, fields: Fields): string {
  const words = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [`${name}=${value}`],
  )
  return `${new Date().toISOString().slice(11, 23)} ${level === 'error' ? 'ERROR ' : ''}${event} ${words.join(' ')}`
}

/** Characters that end a line, control a terminal, or change the direction of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for.
const unprintable = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Prevents log injection: a value cannot start a line or control the reader's terminal. */
const printable = (text: string): string =>
  text.replace(unprintable, (character) =>
    character === '\n' ? '\\n' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

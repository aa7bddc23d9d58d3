import { program } from '../packaging.ts'
import type { Command } from './command.ts'

/** All commands on one screen. */
export function help(commands: Readonly<Record<string, Command>>): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length))
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`)
  return [
    `Usage: ${program} COMMAND [--json]`,
    '',
    ...lines,
    '',
    'COMMAND --help tells more, --version the version. Settings come from the environment: see docs/configuration.md.',
  ].join('\n')
}

export function helpOf(name: string, { summary, words, flags }: Command): string {
  const entries = Object.entries(flags)
  const needed = entries.filter(([, { required }]) => required).map(([flag, { value }]) => ` --${flag} ${value}`)
  const usage = `Usage: ${program} ${[name, ...words].join(' ')}${needed.join('')}${entries.length > needed.length ? ' [OPTIONS]' : ''}`
  const all = [
    ...entries.map(([flag, { value, meaning }]) => [value ? `--${flag} ${value}` : `--${flag}`, meaning]),
    ['--json', 'Print one JSON document'],
  ]
  const width = Math.max(...all.map(([flag = '']) => flag.length))
  return [summary, '', usage, '', ...all.map(([flag = '', meaning]) => `  ${flag.padEnd(width)}  ${meaning}`)].join(
    '\n',
  )
}

import { parseArgs } from 'node:util'
import { version } from '../../package.json'
import { readConfig } from '../config/config.ts'
import { ConfigError } from '../config/parse-settings.ts'
import { ApiError } from '../errors/index.ts'
import { scrub } from '../log/scrub.ts'
import { printableLines } from '../people/printable.ts'
import { FileProblem } from '../store/sqlite/sqlite-file.ts'
import { backup } from './backup.ts'
import { bidCreate, bidList } from './bid.ts'
import { clusterDistribute, clusterIsolate, clusterStatus } from './cluster.ts'
import { type Command, CommandError, type Output } from './command.ts'
import { companyCreate, companyEvents, companyList, companyRestore } from './company.ts'
import { copy } from './copy.ts'
import { credentialCreate, credentialList, credentialRevoke, credentialRotate } from './credential.ts'
import { doctor } from './doctor.ts'
import { exportCommand } from './export.ts'
import { fieldArchive, fieldCreate, fieldList, fieldRestore, fieldUpdate } from './field.ts'
import { health } from './health.ts'
import { help, helpOf } from './help.ts'
import { importCommand } from './import.ts'
import { memberAdd } from './member.ts'
import { requests } from './requests.ts'
import { restore } from './restore.ts'
import { serve } from './serve.ts'
import { types } from './types.ts'
import { userChangeEmail, userCreate, userResetPassword, userTwoFactorOff } from './user.ts'
import {
  webhookCreate,
  webhookDelete,
  webhookDisable,
  webhookEnable,
  webhookList,
  webhookReplay,
  webhookRotate,
  webhookTest,
} from './webhook.ts'
import { webhookListen } from './webhook-listen.ts'

export const commands: Readonly<Record<string, Command>> = {
  serve,
  'company create': companyCreate,
  'company list': companyList,
  'company restore': companyRestore,
  'company events': companyEvents,
  'credential create': credentialCreate,
  'credential list': credentialList,
  'credential rotate': credentialRotate,
  'credential revoke': credentialRevoke,
  'user create': userCreate,
  'user reset-password': userResetPassword,
  'user two-factor-off': userTwoFactorOff,
  'user change-email': userChangeEmail,
  'member add': memberAdd,
  'bid create': bidCreate,
  'bid list': bidList,
  'field create': fieldCreate,
  'field list': fieldList,
  'field update': fieldUpdate,
  'field archive': fieldArchive,
  'field restore': fieldRestore,
  requests,
  'webhook create': webhookCreate,
  'webhook list': webhookList,
  'webhook test': webhookTest,
  'webhook replay': webhookReplay,
  'webhook rotate': webhookRotate,
  'webhook enable': webhookEnable,
  'webhook disable': webhookDisable,
  'webhook delete': webhookDelete,
  'webhook listen': webhookListen,
  import: importCommand,
  export: exportCommand,
  copy,
  'cluster distribute': clusterDistribute,
  'cluster status': clusterStatus,
  'cluster isolate': clusterIsolate,
  types,
  backup,
  restore,
  doctor,
  health,
}

export interface Process {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly isTerminal: boolean
  readonly startedAt: number
  print(text: string): void
  printError(text: string): void
}

/** Runs one command line; the number is the process's exit code. */
export async function runCommand(
  args: readonly string[],
  { env, isTerminal, startedAt, print, printError }: Process,
): Promise<number> {
  const wantsJson = args.includes('--json')
  try {
    if (args[0] === '--version') {
      print(version)
      return 0
    }
    const { name, rest } = findCommand(args)
    const command = commands[name]
    if (!command) {
      print(help(commands))
      return 0
    }
    if (rest.includes('--help')) {
      print(helpOf(name, command))
      return 0
    }
    const { words, flags } = parseWords(name, command, rest)
    const config = readConfig(env, isTerminal)
    const isUnderNpm = env.npm_lifecycle_event !== undefined
    const output = await command.run({ words, flags, config, startedAt, wantsJson, isUnderNpm })
    if (output) print(shown(output, wantsJson))
    return output?.exitCode ?? 0
  } catch (error) {
    const { message, exitCode } = explain(error)
    printError(scrub(wantsJson ? JSON.stringify({ error: message }) : printableLines(message)))
    return exitCode
  }
}

function findCommand(args: readonly string[]): { readonly name: string; readonly rest: readonly string[] } {
  const [first = '', second = ''] = args
  if (['', '--help', '-h', 'help'].includes(first)) return { name: '', rest: [] }
  for (const name of [`${first} ${second}`, first]) {
    if (Object.hasOwn(commands, name)) return { name, rest: args.slice(name.split(' ').length) }
  }
  const known = Object.keys(commands).filter((name) => name.startsWith(`${first} `))
  const choices = known.length > 0 ? known : Object.keys(commands)
  throw new CommandError(
    `There is no command "${[first, second].join(' ').trim()}". Use one of: ${choices.join(', ')}.`,
    2,
  )
}

function parseWords(name: string, command: Command, args: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries(command.flags).map(([flag, { value }]) => [
      flag,
      { type: value ? ('string' as const) : ('boolean' as const) },
    ]),
  )
  const parsed = parseFlags(name, args, { ...options, json: { type: 'boolean' as const } })
  const missing = Object.entries(command.flags).filter(([flag, { required }]) => required && !parsed.values[flag])
  const [flag] = missing.map(([flag, { value }]) => `--${flag} ${value}`)
  if (flag) throw new CommandError(`"${name}" needs ${flag}. See "${name} --help".`, 2)
  if (parsed.positionals.length !== command.words.length) {
    const wanted = command.words.length === 0 ? 'no words' : command.words.join(' ')
    const given = parsed.positionals.map((word) => `"${word}"`).join(' ') || 'none'
    const advice = parsed.positionals.length > command.words.length ? 'Put words with blanks in quotes. ' : ''
    throw new CommandError(`"${name}" takes ${wanted}, but was given ${given}. ${advice}See "${name} --help".`, 2)
  }
  const flags = Object.fromEntries(
    Object.entries(parsed.values).flatMap(([key, value]) =>
      typeof value === 'string' || value === true ? [[key, String(value)]] : [],
    ),
  )
  return { words: parsed.positionals, flags }
}

function parseFlags(
  name: string,
  args: readonly string[],
  options: NonNullable<Parameters<typeof parseArgs>[0]>['options'] & object,
) {
  try {
    return parseArgs({ args: joinNegatives(args, options), options, allowPositionals: true, strict: true })
  } catch (error) {
    const [sentence] = String(error instanceof Error ? error.message : error).split(/\.(?:\s|$)/)
    throw new CommandError(`${sentence}. See "${name} --help".`, 2)
  }
}

/** `--minimum -100` → `--minimum=-100`: `parseArgs` takes a word with a dash for another flag. */
function joinNegatives(args: readonly string[], options: Readonly<Record<string, { readonly type: string }>>) {
  const joined: string[] = []
  for (const word of args) {
    const flag = joined.at(-1) ?? ''
    const takesValue = flag.startsWith('--') && options[flag.slice(2)]?.type === 'string'
    if (takesValue && /^-[\d.]/.test(word)) joined.splice(-1, 1, `${flag}=${word}`)
    else joined.push(word)
  }
  return joined
}

const shown = ({ json, text }: Output, wantsJson: boolean): string =>
  wantsJson ? JSON.stringify(json) : printableLines(text)

function explain(error: unknown): { readonly message: string; readonly exitCode: number } {
  if (error instanceof CommandError) return { message: error.message, exitCode: error.exitCode }
  if (error instanceof FileProblem) return { message: error.message, exitCode: 1 }
  if (error instanceof ConfigError) return { message: error.message, exitCode: 2 }
  if (error instanceof ApiError)
    return { message: [error.message, error.more.hint].filter(Boolean).join('. '), exitCode: 1 }
  throw error
}

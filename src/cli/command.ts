import type { Config } from '../config/config.ts'

/** The input of a command. */
interface Input {
  readonly words: readonly string[]
  readonly flags: Readonly<Record<string, string | undefined>>
  readonly config: Config
  readonly startedAt: number
  /** With `--json`, only one JSON document may be printed. */
  readonly wantsJson: boolean
  /** Started by npm: stop when npm ends. */
  readonly isUnderNpm: boolean
}

/** The output of a command: a document for programs, and text for people. */
export interface Output {
  readonly json: unknown
  readonly text: string
  /** 1: the command worked, and has found a problem. */
  readonly exitCode?: 0 | 1
}

interface Flag {
  /** The name of its value, for the help; a flag without one is boolean. */
  readonly value?: string
  readonly meaning: string
  readonly required?: true
}

export interface Command {
  readonly summary: string
  /** Positional arguments, such as NAME. All are required. */
  readonly words: readonly string[]
  readonly flags: Readonly<Record<string, Flag>>
  run(input: Input): Promise<Output | null>
}

/** An error that the user can fix. Exit code 2: wrong usage; 1: the command failed. */
export class CommandError extends Error {
  constructor(
    message: string,
    readonly exitCode: 1 | 2 = 1,
  ) {
    super(message)
  }
}

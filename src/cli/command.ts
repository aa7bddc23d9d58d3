import type { Config } from '../config/config.ts'

/** What a command is given: its words, its flags, and the settings. */
interface Input {
  readonly words: readonly string[]
  readonly flags: Readonly<Record<string, string | undefined>>
  readonly config: Config
  readonly startedAt: number
  /** One JSON document is wanted, and nothing beside it. */
  readonly wantsJson: boolean
}

/** What it says: a document for programs, and lines for people. */
export interface Output {
  readonly json: unknown
  readonly text: string
  /** 1: what was asked was done, and what it found is not good. */
  readonly exitCode?: 0 | 1
}

interface Flag {
  /** What stands behind it; a flag without is there or not. */
  readonly value?: string
  readonly meaning: string
  readonly required?: true
}

export interface Command {
  readonly summary: string
  /** Words behind the command's name, such as NAME. All of them are needed. */
  readonly words: readonly string[]
  readonly flags: Readonly<Record<string, Flag>>
  run(input: Input): Promise<Output | null>
}

/** Something that the person at the keyboard can mend. 2: the command was written wrong; 1: it could not be done. */
export class CommandError extends Error {
  constructor(
    message: string,
    readonly exitCode: 1 | 2 = 1,
  ) {
    super(message)
  }
}

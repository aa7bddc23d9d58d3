import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Language = 'ts' | 'python' | 'bash'

/** A fenced block of code. */
export interface Snippet {
  readonly section: string
  readonly language: Language
  readonly code: string
  /** Its place in the document, from 1. */
  readonly line: number
  /** What its first line calls it, where it is to be saved and not run: `// project-api.ts`. */
  readonly file: string | null
}

const path = join(import.meta.dir, '../../docs/client.md')

export const documentText = readFileSync(path, 'utf8')

/** All of docs/client.md, in order. */
export const snippets: readonly Snippet[] = [...documentText.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map(
  ({ 1: language = '', 2: code = '', index }) => {
    const before = documentText.slice(0, index)
    return {
      section: [...before.matchAll(/^## (.*)$/gm)].at(-1)?.[1] ?? '',
      language: languageOf(language),
      code,
      line: before.split('\n').length,
      file: /^(?:\/\/|#) (\S+\.\w+)\n/.exec(code)?.[1] ?? null,
    }
  },
)

/** A block in a language that nothing here runs would be one that nobody has tried. */
function languageOf(name: string): Language {
  if (name === 'ts' || name === 'python' || name === 'bash') return name
  throw new Error(`docs/client.md has a block of code in "${name}", which is none of ts, python, bash`)
}

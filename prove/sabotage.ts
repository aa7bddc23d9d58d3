import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '../test/support/service.ts'

/** A guard that is taken out of one source file while it is loaded. The file itself stays as it is. */
export interface Sabotage {
  /** What is broken, in words. */
  readonly breaks: string
  /** Its path from the root. */
  readonly file: string
  /** Stands in the file exactly once. */
  readonly text: string
  readonly instead: string
}

const root = join(import.meta.dir, '..')
const variable = 'PROVE_SABOTAGE'

const preload = { BUN_OPTIONS: `--preload=${join(import.meta.dir, 'preload.ts')}` }

/** What makes a process of Bun load the broken source in place of the right one, or only the processes that it starts. */
export function sabotageVariables(sabotage: Sabotage, isOutside = false): Environment {
  brokenSource(sabotage)
  return { [variable]: JSON.stringify(sabotage), ...(isOutside ? {} : preload) }
}

/** Those that this process was itself started with, for the ones it starts. */
export function inheritedVariables(): Environment {
  const text = process.env[variable]
  return text ? { [variable]: text, ...preload } : {}
}

export function currentSabotage(): (Sabotage & { readonly path: string }) | null {
  const text = process.env[variable]
  if (!text) return null
  const sabotage: Sabotage = JSON.parse(text)
  return { ...sabotage, path: join(root, sabotage.file) }
}

/** A control that breaks nothing would prove nothing, so the text has to be there. */
export function brokenSource({ file, text, instead }: Sabotage): string {
  const [before, after, ...more] = readFileSync(join(root, file), 'utf8').split(text)
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`${file} must hold this text exactly once: ${text}`)
  return before + instead + after
}

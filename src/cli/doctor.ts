import { examine } from '../doctor/examine.ts'
import type { NamedFinding } from '../store/check.ts'
import type { Command } from './command.ts'

export const doctor: Command = {
  summary: 'Check the settings and the database for risks to data and security',
  words: [],
  flags: { full: { meaning: 'Compare every index with its table, too (SQLite): slow on a large file' } },
  run: async ({ flags, config }) => {
    const checks = await examine(config, flags.full !== undefined)
    const [problems, warnings] = (['problem', 'warning'] as const).map(
      (state) => checks.filter((check) => check.state === state).length,
    )
    return {
      json: { ok: problems === 0, checks },
      text: `${linesOf(checks)}\n\nProblems: ${problems}. Warnings: ${warnings}.`,
      exitCode: problems === 0 ? 0 : 1,
    }
  },
}

function linesOf(checks: readonly NamedFinding[]): string {
  const width = Math.max(...checks.map(({ name }) => name.length))
  return checks
    .map(({ state, name, found, mend }) => {
      const line = `${state.padEnd('problem'.length)}  ${name.padEnd(width)}  ${found}`
      return mend === null ? line : `${line}. ${mend}.`
    })
    .join('\n')
}

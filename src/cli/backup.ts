import type { FileReport } from '../store/file-report.ts'
import { engineOf } from '../store/open.ts'
import { type Command, CommandError } from './command.ts'
import { textTable } from './text-table.ts'

export const backup: Command = {
  summary: 'Copy the database into a new file while the service runs, and check the copy',
  words: ['FILE'],
  flags: {},
  run: async ({ words: [file = ''], config, startedAt }) => {
    const report = engineOf(config.databaseUrl).backup(config.databaseUrl, file)
    if (typeof report === 'string') throw new CommandError(report)
    const seconds = secondsSince(startedAt)
    return {
      json: { file, ...documentOf(report), seconds },
      text: `${rowsTable(report)}\n\nMade and checked ${file}: ${sizeText(report.bytes)} in ${seconds} s.`,
    }
  },
}

export const documentOf = ({ bytes, migration, rows }: FileReport) => ({ bytes, migration, rows })

export const rowsTable = ({ rows }: FileReport): string =>
  textTable(
    ['table', 'rows'],
    Object.entries(rows).map(([table, count]) => [table, String(count)]),
  )

/** 3145728 → `3.0 MB` */
export const sizeText = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MB`

export const secondsSince = (startedAt: number): number => Math.round(performance.now() - startedAt) / 1000

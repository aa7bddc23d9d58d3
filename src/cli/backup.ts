import { filePath, isPostgres } from '../store/open.ts'
import { backupSqlite } from '../store/sqlite/sqlite-backup.ts'
import type { FileReport } from '../store/sqlite/sqlite-file.ts'
import { type Command, CommandError } from './command.ts'
import { howToDump } from './postgres-tools.ts'
import { textTable } from './text-table.ts'

export const backup: Command = {
  summary: 'Copy the database into a new file while the service runs, and check the copy',
  words: ['FILE'],
  flags: {},
  run: async ({ words: [file = ''], config, startedAt }) => {
    if (isPostgres(config.databaseUrl)) throw new CommandError(howToDump(config.databaseUrl, file))
    const report = backupSqlite(filePath(config.databaseUrl), file)
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

import type { Restored } from '../store/file-report.ts'
import { engineOf } from '../store/open.ts'
import { documentOf, rowsTable, secondsSince, sizeText } from './backup.ts'
import { type Command, CommandError } from './command.ts'

export const restore: Command = {
  summary: 'Replace the database with a backup, while the service is stopped',
  words: ['FILE'],
  flags: { replace: { meaning: 'Replace the existing database; it is kept under another name' } },
  run: async ({ words: [file = ''], flags, config, startedAt }) => {
    const engine = engineOf(config.databaseUrl)
    const target = engine.locationOf(config.databaseUrl)
    const restored = await engine.restore(file, config.databaseUrl, flags.replace !== undefined)
    if (typeof restored === 'string') throw new CommandError(restored)
    const seconds = secondsSince(startedAt)
    const { migratedFrom, kept } = restored
    return {
      json: { file: target, ...documentOf(restored), migrated_from: migratedFrom, kept, seconds },
      text: `${rowsTable(restored)}\n\n${sentences(target, restored, seconds).join('\n')}`,
    }
  },
}

function sentences(target: string, restored: Restored, seconds: number): string[] {
  const { bytes, migration, migratedFrom, kept, isCertain } = restored
  return [
    `Checked the backup and put it at ${target}: ${sizeText(bytes)} in ${seconds} s.`,
    ...(migratedFrom < migration ? [`Its schema was migrated from step ${migratedFrom} to ${migration}.`] : []),
    ...(kept ? [`The old database is now ${kept}; delete it when you no longer need it.`] : []),
    ...(isCertain
      ? []
      : ['It was too damaged to check whether a service still has it open: if one is running, restart it now.']),
  ]
}

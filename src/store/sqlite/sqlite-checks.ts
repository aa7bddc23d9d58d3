import { type Check, type Finding, judgeSchema, ok, problem, warning } from '../check.ts'
import type { FileFacts, SqliteFacts } from './inspect-sqlite.ts'

const megabyte = 1_048_576
const dayMs = 86_400_000
const backupDaysMax = 7
const clockMsMax = 5000

/** From linux/magic.h: file systems without the locks and shared memory that the write-ahead log needs. */
const remoteFileSystems: Readonly<Record<number, string>> = {
  26985: 'NFS',
  20859: 'SMB',
  4266872130: 'SMB',
  4283649346: 'CIFS',
  16914839: '9P',
  1702057286: 'FUSE',
  12805120: 'Ceph',
  198183888: 'Lustre',
}

/** Judged before the file is opened. */
export const fileChecks: readonly Check<FileFacts>[] = [
  {
    name: 'rights on the file',
    judge: ({ modes }) =>
      modes.some((mode) => (mode & 0o077) !== 0)
        ? problem('users other than its owner may open it', 'Run chmod 600 on it; the next start does so, too')
        : ok('only for its owner'),
  },
  { name: 'rights on its directory', judge: judgeFolder },
  { name: 'room on the disk', judge: judgeRoom },
  {
    name: 'last change',
    judge: ({ changedAt }) =>
      changedAt.getTime() > Date.now() + clockMsMax
        ? warning(`at ${changedAt.toISOString()}, in the future`, 'Set the clock by NTP')
        : ok(changedAt.toISOString()),
  },
  {
    name: 'file system',
    judge: ({ fileSystem }) => {
      const remote = remoteFileSystems[fileSystem]
      return remote
        ? warning(`${remote}, where locks may not work`, 'Move the file to a local disk, or use PostgreSQL')
        : ok('local')
    },
  },
]

/** Judged with the file opened as the service opens it. */
export const sqliteChecks: readonly Check<SqliteFacts>[] = [
  {
    name: 'journal_mode',
    judge: ({ journalMode }) =>
      journalMode === 'wal'
        ? ok('wal')
        : problem(`${journalMode}: readers and writers wait for each other`, 'Move the file to a local disk'),
  },
  {
    name: 'synchronous',
    judge: ({ synchronous }) =>
      synchronous >= 2
        ? ok('full')
        : problem('not full: a power failure loses acknowledged writes', 'Reinstall the program'),
  },
  {
    name: 'foreign_keys',
    judge: ({ hasForeignKeys }) =>
      hasForeignKeys ? ok('on') : problem('off: rows can refer to missing rows', 'Reinstall the program'),
  },
  {
    name: 'integrity',
    judge: ({ damage }) =>
      damage === null ? ok('sound') : problem(damage, 'Stop the service, and restore the latest backup'),
  },
  {
    name: 'references',
    judge: ({ orphans }) =>
      orphans === 0
        ? ok('sound')
        : problem(`${orphans} rows point at nothing`, 'Stop the service, and restore the latest backup'),
  },
  { name: 'schema', judge: judgeSchema },
  { name: 'backup', judge: judgeBackup },
]

function judgeFolder({ folderMode }: FileFacts): Finding {
  if ((folderMode & 0o022) !== 0) return problem('others may replace the files in it', 'Run chmod 700 on it')
  return (folderMode & 0o055) !== 0
    ? warning('others may list its files', 'Run chmod 700 on it')
    : ok('only for its owner')
}

function judgeRoom({ bytes, freeBytes }: FileFacts): Finding {
  const found = `${Math.round(freeBytes / megabyte)} MB free, the database has ${Math.ceil(bytes / megabyte)}`
  if (freeBytes < 64 * megabyte) return problem(found, 'Free disk space: writes will soon be refused')
  return freeBytes < bytes + 256 * megabyte
    ? warning(found, 'Free disk space: a backup needs as much as the database')
    : ok(found)
}

function judgeBackup({ lastBackupAt }: SqliteFacts): Finding {
  const remedy = 'Run backup FILE, every night'
  if (lastBackupAt === null) return warning('none was made yet', remedy)
  const days = (Date.now() - Date.parse(lastBackupAt)) / dayMs
  const found = `the last one was made on ${lastBackupAt.slice(0, 16).replace('T', ' ')} UTC`
  return days > backupDaysMax ? warning(found, remedy) : ok(found)
}

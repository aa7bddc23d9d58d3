import { version } from '../../package.json'
import { fewFiles, openFilesMax, raiseFiles } from '../doctor/open-files.ts'
import { maintainFields } from '../fields/maintain-fields.ts'
import { createLog } from '../log/log.ts'
import { supervisorConnections } from '../store/connections.ts'
import { engineOf } from '../store/open.ts'
import { atMost } from '../traffic/at-most.ts'
import { startAdmin } from './admin.ts'
import { banner, startDocument } from './banner.ts'
import type { Command } from './command.ts'
import { createDemo } from './demo.ts'
import { exposureOf } from './exposure.ts'
import { closeMsMax, startInstance } from './instance.ts'
import { forgetters, startSweeps } from './start-sweeps.ts'
import { stopSignal } from './stop-signal.ts'
import { openReady } from './with-database.ts'
import { startWorkers } from './workers.ts'

export const serve: Command = {
  summary: 'Serve the API until it is stopped',
  words: [],
  flags: {},
  run: async ({ config, startedAt, isUnderNpm, wantsJson }) => {
    const isMany = config.workers > 1
    const log = createLog(config.log, config.logLevel)
    // With workers, this process only supervises them, migrates the database and deletes old rows.
    const db = await openReady(isMany ? { ...config, connectionsMax: supervisorConnections } : config)
    const server = isMany ? await startWorkers(config, log) : await startInstance(config, { db, log })
    const admin = await startAdmin(config, server, { db, log })
    // Only after the start: the demo's secrets are shown once, and a failed start would not show them.
    const demo = config.demo && engineOf(config.databaseUrl).hasDemo ? await createDemo(db) : null
    const start = {
      version,
      startedInMs: performance.now() - startedAt,
      base: server.base,
      page: config.baseUrl ?? server.base,
      database: db.location,
      demo,
      workers: config.workers,
      admin: admin?.base ?? null,
      warning: exposureOf(config),
    }
    log.print(wantsJson ? `${JSON.stringify(startDocument(start))}\n` : banner(start))
    const { startedInMs, base, database } = start
    if (config.log === 'json') log.info('started', { version, url: base, database, ms: Math.round(startedInMs) })
    if (start.warning !== null) log.warn('unencrypted', { cause: start.warning })
    const few = fewFiles(openFilesMax())
    if (few !== null) log.warn('open_files', { cause: `${few}. ${raiseFiles}.` })
    const stopSweeps = startSweeps(forgetters(db, config.eventsKeptMs), (error) =>
      log.error('sweep', { cause: String(error) }),
    )
    const maintenance = maintainFields(db, (error) => log.error('fields', { cause: String(error) }))
    await stopSignal(isUnderNpm)
    stopSweeps()
    log.info('stopping', {})
    await server.stop()
    await admin?.stop()
    await atMost(maintenance.stop(), closeMsMax)
    await atMost(db.close(), closeMsMax)
    await log.flush()
    // A hanging statement, or a log that nobody reads, would keep the process alive.
    process.exit(0)
  },
}

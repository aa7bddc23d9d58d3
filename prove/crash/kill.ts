import { freePort } from '../../test/support/postgres.ts'
import { type Service, startService } from '../../test/support/service.ts'
import { Missed, type Proof, requireNone } from '../proof.ts'
import { makeStage } from '../stage.ts'
import { audit } from './ledger.ts'
import { startWriters } from './writers.ts'

/** Kills come after this many answers and up to twice as many: at no special moment. */
const answersBetween = 500

export const kill: Proof = {
  promise: 'Every acknowledged write is stored once and completely, even if the server is killed.',
  attack: 'kill -9 of the server while 32 clients create without a pause, then a new start, again and again.',
  size: { unit: 'kills', short: 2, full: { sqlite: 100, postgres: 50 } },
  isOutside: true,
  run: async (attempt) => {
    const stage = await makeStage(attempt, ['Acme'])
    const [acme] = stage.callers
    if (!acme) throw new Error('There is no company')
    let service: Service = await startService({ ...stage.env, PORT: String(await freePort()) })
    const { base } = service
    const env = { ...stage.env, PORT: new URL(base).port }
    const writers = startWriters(() => base, acme, 'Project')
    for (let kills = 0; kills < attempt.size; kills += 1) {
      await writers.untilAcknowledged(Math.ceil(answersBetween * (1 + Math.random())))
      service.kill('SIGKILL')
      await service.ended
      service = await startService(env)
    }
    await writers.untilAcknowledged(answersBetween)
    await writers.stop()
    await service.stop()
    await audit(stage.url, writers.sent, acme)
    const { refused } = writers
    if ([...refused.keys()].every((status) => status === 503) && refused.size > 0)
      throw new Missed('The machine was too busy to serve every request')
    requireNone('requests refused', [...refused])
    const cut = [...writers.sent].filter(({ acknowledged }) => !acknowledged).length
    if (cut < attempt.size) throw new Missed('Too few requests were under way at the kills')
    return {
      kills: attempt.size,
      'creates acknowledged': writers.acknowledged,
      'cut off': cut,
      lost: 0,
      doubled: 0,
      'half done or orphaned': 0,
    }
  },
  controls: [
    {
      breaks: 'an answer is given before the commit',
      notices: 'acknowledged rows lost',
      engines: ['sqlite'],
      file: 'src/store/sqlite/group-commit.ts',
      text: `    if (waiting.length === 0 || !begin()) return
    const jobs: Job[] = []
    try {
      attemptWaiting(jobs)
      events.write()
      commit()
`,
      instead: `    if (waiting.length === 0) return
    const isOpen = engine.inTransaction
    if (!isOpen && !begin()) return
    if (!isOpen) setTimeout(() => prepare('commit').run(), 50)
    const jobs: Job[] = []
    try {
      attemptWaiting(jobs)
      events.write()
`,
    },
    {
      breaks: 'an answer is given before the commit',
      notices: 'acknowledged rows lost',
      engines: ['postgres'],
      file: 'src/store/postgres/postgres.ts',
      text: 'return [await rights.during(right, only, () => runOne(only))]',
      instead: `return new Promise((resolve, reject) => {
        pools
          .of(usual)
          .begin(async (client) => {
            resolve([rowsOf(await ask(client, only))])
            await Bun.sleep(10)
          })
          .catch(reject)
      })`,
    },
  ],
}

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { rotateCredential } from '../../src/keys/rotate.ts'
import { commandLine } from '../../src/people/audit.ts'
import { makeDistributedPlace } from '../support/citus.ts'
import { World } from '../support/world.ts'

const world = new World({})
beforeAll(() => world.open({ name: 'postgres', makePlace: makeDistributedPlace }), 300_000)
afterAll(() => world.close())

test('credentials are created and rotated at the same time: Citus locks their tables in different orders', async () => {
  const { acme, rival, db } = world
  for (let round = 0; round < 5; round += 1) {
    const made = await Promise.all([1, 2, 3, 4].map(() => acme.withCredential('read')))
    const rotated = made.map(({ id: companyId, credentialId: id }) =>
      rotateCredential(db, { companyId, id }, { graceSeconds: 3600, by: commandLine }),
    )
    const more = [1, 2, 3, 4].map(() => rival.withCredential('read'))
    expect(await Promise.all([...rotated, ...more])).toHaveLength(8)
  }
}, 300_000)

import { afterAll, beforeAll, test } from 'bun:test'
import { closeWorlds, expectClientsToPass, openWorlds } from './run-clients.ts'

beforeAll(openWorlds, 300_000)
afterAll(closeWorlds)

test('supabase-js and postgrest-js pass their tests under Node', async () => {
  const node = Bun.which('node')
  if (!node) throw new Error('There is no "node" in the path. Install Node 20 or later.')
  await expectClientsToPass(node)
}, 600_000)

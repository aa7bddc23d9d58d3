import { afterAll, beforeAll, test } from 'bun:test'
import { join } from 'node:path'
import { closeWorlds, expectClientsToPass, openWorlds } from '../node/run-clients.ts'
import { runCommand } from './run-tool.ts'

beforeAll(openWorlds, 300_000)
afterAll(closeWorlds)

for (const version of [22, 24]) {
  const node = join(import.meta.dir, `node_modules/node-${version}-${process.platform}-${process.arch}/bin/node`)
  test(`supabase-js and postgrest-js pass their tests under Node ${version}`, async () => {
    const said = await runCommand([node, '--version'])
    if (!said.startsWith(`v${version}.`)) throw new Error(`${node} is Node ${said}`)
    await expectClientsToPass(node)
  }, 600_000)
}

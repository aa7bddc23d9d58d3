import { expect } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { engines } from '../support/engines.ts'
import { type Tenant, World } from '../support/world.ts'
import type { TenantFacts, WorldFacts } from './engines.ts'

/** Node's own fetch has limits that Bun's does not have, so the tests of the clients run there, too, against this server. */
const worlds = engines.map((engine) => ({ engine, world: new World({}) }))
const folder = mkdtempSync(join(tmpdir(), 'project-api-node-'))
const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

export async function openWorlds(): Promise<void> {
  await Promise.all(worlds.map(({ engine, world }) => world.open(engine)))
}

export async function closeWorlds(): Promise<void> {
  await Promise.all(worlds.map(({ world }) => world.close()))
  rmSync(folder, { recursive: true })
}

/** `node` is the path of the program. */
export async function expectClientsToPass(node: string): Promise<void> {
  const facts = await Promise.all(worlds.map(({ engine, world }) => factsOf(engine.name, world)))
  const child = Bun.spawn([node, '--test-reporter=tap', await bundle()], {
    env: { ...process.env, TEST_WORLDS: JSON.stringify(facts) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, err, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  const failed = out.split('\n').flatMap((line, at, all) => (/^\s*not ok/.test(line) ? all.slice(at, at + 12) : []))
  expect({ exitCode, failed: failed.join('\n'), err }).toEqual({ exitCode: 0, failed: '', err: '' })
  const [, passed] = /^# pass (\d+)$/m.exec(out) ?? []
  expect(Number(passed)).toBeGreaterThan(400)
}

async function factsOf(engine: WorldFacts['engine'], { base, acme, rival }: World): Promise<WorldFacts> {
  return { engine, base, acme: await tenantFacts(acme), rival: await tenantFacts(rival) }
}

async function tenantFacts(tenant: Tenant): Promise<TenantFacts> {
  const { bid, project, apiKey, apiSecret } = tenant
  const reader = await tenant.withCredential('read')
  return { bid, project, apiKey, apiSecret, reader: { apiKey: reader.apiKey, apiSecret: reader.apiSecret } }
}

/** All tests of the clients in one file for Node. The clients themselves are not part of it: Node loads them as they are. */
async function bundle(): Promise<string> {
  const tests = readdirSync(pathOf('../client')).filter((name) => name.endsWith('.test.ts'))
  const entry = join(folder, 'clients.ts')
  const imports = tests.map((name) => `import '${pathOf(`../client/${name}`)}'`)
  const [engines, run] = [`import { defineSuites } from '${pathOf('./engines.ts')}'`, 'defineSuites()']
  await Bun.write(entry, [...imports, engines, run].join('\n'))
  const modules = join(folder, 'node_modules')
  if (!existsSync(modules)) symlinkSync(pathOf('../../node_modules'), modules)
  const built = await Bun.build({
    entrypoints: [entry],
    outdir: folder,
    naming: '[name].mjs',
    target: 'node',
    external: ['@supabase/*'],
    plugins: [
      {
        name: 'for Node',
        setup: (build) => {
          build.onResolve({ filter: /^bun:test$/ }, () => ({ path: pathOf('./bun-test.ts') }))
          build.onResolve({ filter: /\/support\/engines\.ts$/ }, () => ({ path: pathOf('./engines.ts') }))
        },
      },
    ],
  })
  return built.outputs[0]?.path ?? ''
}

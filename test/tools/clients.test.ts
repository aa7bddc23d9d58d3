import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { openapiText } from '../../src/docs/openapi.ts'
import { onEachEngine } from '../support/engines.ts'
import { generated, runCommand, runTool, toolCommand, writeDocument } from './run-tool.ts'

const generators: Readonly<Record<string, (document: string) => Promise<string>>> = {
  'openapi-fetch': (document) =>
    runTool('openapi-typescript', [document, '-o', join(generated, 'openapi-typescript.ts')]),
  'hey-api': (document) =>
    runTool('openapi-ts', ['-i', document, '-o', join(generated, 'hey-api'), '-c', '@hey-api/client-fetch'], 'bun'),
  // Its configuration names the document.
  orval: () => runTool('orval', ['--config', 'orval.config.js'], 'bun'),
}

const document = await writeDocument('openapi.json', openapiText())
for (const generate of Object.values(generators)) await generate(document)

test('the generated clients compile, and so does what uses them', async () => {
  const printed = await runCommand([...toolCommand('tsc', 'node'), '-p', 'clients'])
  expect(printed).toBe('')
})

onEachEngine('a generated client', (world) => {
  for (const name of Object.keys(generators)) {
    test(`lists, creates and updates (${name})`, async () => {
      const { apiKey, apiSecret, bid } = world.acme
      const env = { API_URL: `${world.base}/rest/v1`, API_KEY: apiKey, API_SECRET: apiSecret, BID_ID: bid }
      const printed = await runCommand([process.execPath, `clients/${name}.ts`], env)
      const { names, ...done } = JSON.parse(printed)
      expect(done).toEqual({ created: 'Bridge', changed: 'Tunnel', code: '23503' })
      expect(names).toContain('Tunnel')
      expect(names).not.toContain("Rival's project")
    })
  }
})

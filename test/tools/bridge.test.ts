import { expect, test } from 'bun:test'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import Ajv2020 from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { openapiText } from '../../src/docs/openapi.ts'
import { onEachEngine } from '../support/engines.ts'
import type { World } from '../support/world.ts'
import { toolCommand, writeDocument } from './run-tool.ts'

/** A bridge that makes tools of the operations of an OpenAPI document. */
async function connect(world: World): Promise<Client> {
  const { apiKey, apiSecret } = world.acme
  const [command = '', ...args] = toolCommand('openapi-mcp-server', 'node')
  const transport = new StdioClientTransport({
    command,
    args,
    env: {
      PATH: process.env.PATH ?? '',
      API_BASE_URL: `${world.base}/rest/v1`,
      OPENAPI_SPEC_PATH: await writeDocument('openapi.json', openapiText()),
      API_HEADERS: `apikey:${apiKey},X-API-Secret:${apiSecret}`,
      DISABLE_ABBREVIATION: 'true',
    },
    stderr: 'ignore',
  })
  const client = new Client({ name: 'strict', version: '1' })
  await client.connect(transport)
  return client
}

onEachEngine('a bridge from OpenAPI to MCP', (world) => {
  test('makes tools that a strict client takes, and that list, create and delete', async () => {
    const client = await connect(world)
    const { tools } = await client.listTools()
    // As strict as those who give tools to models: the client itself refuses a schema that is no object's.
    const ajv = new Ajv2020({ strict: false })
    addFormats.default(ajv)
    for (const { name, inputSchema } of tools) {
      expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
      for (const property of Object.keys(inputSchema.properties ?? {}))
        expect(property).toMatch(/^[a-zA-Z0-9_.-]{1,64}$/)
      expect(() => ajv.compile(inputSchema)).not.toThrow()
    }
    const call = async (name: string, given: Record<string, unknown>) => {
      const { content } = await client.callTool({ name, arguments: given })
      return content[0]?.type === 'text' ? content[0].text : ''
    }
    const made = JSON.parse(await call('create-project', { bid_id: world.acme.bid, project_name: 'Bridge' }))
    const filter = { id: `eq.${made.id}` }
    expect(JSON.parse(await call('list-project', filter))).toEqual([made])
    await call('delete-project', filter)
    expect(JSON.parse(await call('list-project', filter))).toEqual([])
    expect(JSON.parse(await call('list-project', { id: `eq.${world.rival.project}` }))).toEqual([])
    await client.close()
  })
})

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Tenant, World } from '../support/world.ts'

/** Of the protocol with a handshake, and of the one without. */
export const eras = [{ mode: 'legacy' }, { mode: { pin: '2026-07-28' } }] as const

type Era = (typeof eras)[number]

/** The official client, as agents use it. */
export class Agent {
  private constructor(private readonly client: Client) {}

  static async connect(world: World, headers: Readonly<Record<string, string>>, era: Era = eras[0]): Promise<Agent> {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: era })
    await client.connect(new StreamableHTTPClientTransport(new URL(`${world.base}/mcp`), { requestInit: { headers } }))
    return new Agent(client)
  }

  async tools() {
    return (await this.client.listTools()).tools
  }

  /** What a tool returns, as JSON. */
  async call(name: string, given: Readonly<Record<string, unknown>> = {}) {
    const { content, isError } = await this.client.callTool({ name, arguments: given })
    const [first] = content
    if (first?.type !== 'text') throw new Error(`${name} returned no text`)
    return { isError: isError === true, text: first.text, json: JSON.parse(first.text) }
  }

  close(): Promise<void> {
    return this.client.close()
  }
}

/** Key and secret in one field, which is all that many clients have. */
export const joined = ({ apiKey, apiSecret }: Tenant): Record<string, string> => ({
  Authorization: `Bearer ${apiKey}.${apiSecret}`,
})

/** One message without a client. */
export const post = (world: World, message: unknown, headers: Readonly<Record<string, string>>): Promise<Response> =>
  fetch(`${world.base}/mcp`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  })

import {
  createMcpHandler,
  isLegacyRequest,
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv'
import { version } from '../../package.json'
import type { Visit } from '../rest/visit.ts'
import { callTool, type Outcome } from './call-tool.ts'
import { toolsFor } from './tools.ts'

/** A message, the headers that it came with, and who sent it. */
export interface Received {
  readonly message: unknown
  readonly http: Request
  readonly visit: Visit
}

export interface Reply {
  readonly response: Response
  /** Of the tool that was called. */
  readonly outcome: Outcome | null
}

/** Answers one message with the official SDK, which this file alone imports. Nothing is kept from one message to the next. */
export async function answerMessage({ message, http, visit }: Received): Promise<Reply> {
  let outcome: Outcome | null = null
  const createServer = () =>
    makeServer(visit, (called) => {
      outcome = called
    })
  const isLegacy = await isLegacyRequest(http, message)
  const response = await (isLegacy ? answerLegacy : answerModern)(createServer, http, message)
  return { response, outcome }
}

const about = { name: 'project-api', title: 'Project API', version }

const instructions = [
  'The projects and bids of one company. Each tool works with rows of one kind.',
  'Ids are UUIDs. Do not guess them: find rows with the list tools first.',
  'A failed call returns "code", "message" and "hint": the hint says how to correct the call.',
].join(' ')

// Makes a validator for each server otherwise, which takes longer than all the rest.
const jsonSchemaValidator = new AjvJsonSchemaValidator()

function makeServer(visit: Visit, ended: (outcome: Outcome) => void): Server {
  const server = new Server(about, { capabilities: { tools: {} }, instructions, jsonSchemaValidator })
  server.setRequestHandler('tools/list', () => {
    const tools = [...toolsFor(visit.resources).values()].map(({ described }) => described)
    // The SDK's type of a schema is one that can be changed.
    return { tools: tools as ListToolsResult['tools'] }
  })
  server.setRequestHandler('tools/call', async ({ params }) => {
    // A tool that is not listed for this credential exists: the answer to a call says why it is refused.
    const tool = toolsFor(visit.all).get(params.name)
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool "${params.name}"`)
    const outcome = await callTool(tool, params.arguments ?? {}, visit)
    ended(outcome)
    return { content: [{ type: 'text', text: outcome.text }], isError: outcome.error !== null }
  })
  return server
}

type Answering = (createServer: () => Server, http: Request, message: unknown) => Promise<Response>

/** Clients of the protocol from 2026-07-28 on. */
const answerModern: Answering = (createServer, http, message) =>
  // The tools never change, so that there is nothing to subscribe to.
  createMcpHandler(createServer, { legacy: 'reject', maxSubscriptions: 0, keepAliveMs: 0 }).fetch(http, {
    parsedBody: message,
  })

/** Clients of the protocol up to 2025-11-25, in one JSON answer instead of an event stream. */
const answerLegacy: Answering = async (createServer, http, message) => {
  const server = createServer()
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    return await transport.handleRequest(http, { parsedBody: message })
  } finally {
    await server.close()
  }
}

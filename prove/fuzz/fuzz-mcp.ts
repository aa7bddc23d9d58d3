import type { Random } from '../random.ts'
import { row } from './fuzz-body.ts'
import { column, comparison, conditions, count, id, order, select } from './fuzz-query.ts'
import { bytesOf, type Parts } from './fuzz-request.ts'
import { anyText, mutated } from './fuzz-text.ts'

const version = '2025-06-18'

/** A message of the Model Context Protocol, mostly a call of a tool. */
export function mcpRequest(random: Random): Parts {
  const text = JSON.stringify(messageOf(random))
  const body = random.chance(0.05) ? random.pick([mutated(random, text), anyText(random), `[${text}]`]) : text
  return {
    method: random.mostly(['POST'], ['GET', 'DELETE', 'PUT', 'HEAD']),
    target: random.mostly(['/mcp'], ['/mcp/', '/mcp?x=1']),
    fields: [
      ['Content-Type', random.mostly(['application/json'], ['text/plain', ''])],
      ['Accept', random.mostly(['application/json, text/event-stream', '*/*'], ['text/html', ''])],
      ...(random.chance(0.7)
        ? [['MCP-Protocol-Version', random.mostly([version], ['1999-01-01', anyText(random)])] as const]
        : []),
    ],
    body: bytesOf(body),
  }
}

function messageOf(random: Random): Record<string, unknown> {
  const [method, params] = random.chance(0.85)
    ? ['tools/call', callOf(random)]
    : random.pick([
        [
          'initialize',
          { protocolVersion: version, capabilities: {}, clientInfo: { name: anyText(random), version: '1' } },
        ],
        ['tools/list', {}],
        ['tools/list', { cursor: anyText(random) }],
        ['ping', {}],
        ['resources/list', {}],
        ['notifications/initialized', undefined],
        [anyText(random), null],
      ] as const)
  return {
    jsonrpc: random.mostly(['2.0'], ['1.0']),
    id: random.pick<unknown>([1, 'x', 2 ** 60, null, undefined]),
    method,
    params,
  }
}

/** The name of a tool, and arguments that are mostly those of its action. */
function callOf(random: Random): Record<string, unknown> {
  const resource = random.pick(['project', 'bid', 'event', 'field'])
  const action = random.pick(Object.keys(actions))
  return {
    name: random.mostly([`${action}_${resource}`], ['list_nothing', '', '__proto__']),
    arguments: random.mostly<unknown>([actions[action]?.(random, resource)], [null, [], 'x', { x: 1 }, undefined]),
  }
}

const actions: Readonly<Record<string, (random: Random, resource: string) => Record<string, unknown>>> = {
  list: (random) => {
    const of = column(random)
    return Object.fromEntries(
      random.some(4, () =>
        random.pick<() => readonly [string, unknown]>([
          () => ['filters', { [of]: comparison(random, of) }],
          () => ['and', conditions(random)],
          () => ['or', conditions(random)],
          () => ['select', select(random)],
          () => ['order', order(random)],
          () => ['limit', random.chance(0.5) ? random.below(120) : count(random)],
          () => ['cursor', random.pick([anyText(random), btoa(`{"id":"${id(random)}"}`)])],
        ])(),
      ),
    )
  },
  get: (random) => ({ id: id(random), ...(random.chance(0.5) ? { select: select(random) } : {}) }),
  create: (random, resource) => row(random, `/${resource}`),
  update: (random, resource) => ({ ...row(random, `/${resource}`), id: id(random) }),
  delete: (random) => ({ id: id(random) }),
}

import type { Arena } from './arena.ts'
import type { AttackRequest } from './attack-request.ts'
import type { Find } from './confirm.ts'

const request: AttackRequest = { as: 'key', method: 'GET', path: '/rest/v1/project', copies: 1 }
/** Far more lines than fit into a pipe. */
const lines = 2000
const clients = 16
/** A machine that is busy may stand still for some seconds; a service that waits for a reader never answers. */
const frozenMs = 20_000

/** Makes the service log more than the pipe takes, which nobody reads: a service that waits for a reader stands still. */
export async function fillLog({ service, identitiesOf, probe }: Arena): Promise<Find | null> {
  const startedAt = performance.now()
  const init = { headers: identitiesOf(request)[0] ?? {} }
  let left = lines
  const client = async (): Promise<void> => {
    for (; left > 0; left -= 1) {
      const signal = AbortSignal.timeout(frozenMs)
      const answer = await fetch(`${service.base}${request.path}`, { ...init, signal }).catch(() => null)
      if (!answer) left = 0
      await answer?.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  probe.begin()
  if ((await probe.end(frozenMs)) !== null) return null
  return { request, what: 'log', amount: performance.now() - startedAt }
}

import type { Arena } from './arena.ts'
import type { AttackRequest } from './attack-request.ts'
import type { Find } from './confirm.ts'
import type { Limits } from './limits.ts'

const request: AttackRequest = { as: 'key', method: 'GET', path: '/rest/v1/project', copies: 1 }
/** Far more lines than fit into a pipe. */
const lines = 2000
const clients = 16
/** A machine that is busy may be late once; a service that waits for a reader never answers. */
const probesMax = 3

/** Makes the service log more than the pipe takes, which nobody reads: a service that waits for a reader stands still. */
export async function fillLog({ service, identitiesOf, probe }: Arena, limits: Limits): Promise<Find | null> {
  const startedAt = performance.now()
  const init = { headers: identitiesOf(request)[0] ?? {} }
  let left = lines
  const client = async (): Promise<void> => {
    for (; left > 0; left -= 1) {
      const signal = AbortSignal.timeout(limits.patienceMs)
      const answer = await fetch(`${service.base}${request.path}`, { ...init, signal }).catch(() => null)
      if (!answer) left = 0
      await answer?.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  for (let probes = 0; probes < probesMax; probes += 1) {
    probe.begin()
    if ((await probe.end(limits.patienceMs)) !== null) return null
  }
  return { request, what: 'log', amount: performance.now() - startedAt }
}

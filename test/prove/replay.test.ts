import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { openArena } from '../../prove/cost/arena.ts'
import { describeRequest, isHeld, isOneAttack } from '../../prove/cost/attack-request.ts'
import type { Limits } from '../../prove/cost/limits.ts'
import { createMeasure } from '../../prove/cost/measure.ts'
import { knownOf } from '../../prove/cost/regressions.ts'
import { engines } from '../support/engines.ts'
import { endAll } from '../support/service.ts'

/** For two tries that are given up, each with a new start of the service. */
setDefaultTimeout(900_000)

/** However busy the machine is: only a service that stands still keeps others waiting for so long. */
const limits: Limits = {
  stallMs: { key: 5000, credential: 5000, narrowed: 5000, viewer: 5000, owner: 5000 },
  createMs: 15_000,
  memoryMb: 1024,
  patienceMs: 120_000,
  heldMs: 500,
}
const amounts = { rows: 10_000, largest: 60, large: 120 }
/** A busy machine may hold every process for long; a service that stands still does so each time. */
const triesMax = 5
const nothing = { list: { p99: 0, longest: 0 }, create: { p99: 0, longest: 0 } }

for (const engine of engines) {
  describe(`the worst requests so far (${engine.name})`, () => {
    const ends = new AsyncDisposableStack()
    const opened = openArena({ engine, size: 0, env: {}, ends }, amounts)
    afterAll(async () => {
      await ends.disposeAsync()
      await endAll()
    })

    test.each(knownOf(engine.name).map((request) => [describeRequest(request), request] as const))(
      'are answered, and let others be: %s',
      async (_, request) => {
        const arena = await opened
        const measure = createMeasure(arena, limits, () => nothing)
        for (let tries = 1; ; tries += 1) {
          const { stallMs, statuses, isOver, isEnded } = await measure(request)
          expect(statuses.filter((status) => status === 500 || (status === 0 && !isHeld(request)))).toEqual([])
          const isLong = isOneAttack(request) && stallMs > limits.stallMs[request.as]
          if (tries < triesMax && !isEnded && (isOver || isLong)) continue
          expect({ isOver, isLong }).toEqual({ isOver: false, isLong: false })
          return
        }
      },
    )
  })
}

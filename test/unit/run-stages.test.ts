import { describe, expect, test } from 'bun:test'
import { Exchange, stageNames } from '../../src/exchange.ts'
import { Call, type Rows } from '../../src/rest/call.ts'
import { createRunner, type Stage, timed } from '../../src/rest/run-stages.ts'
import { createByteBudget } from '../../src/traffic/byte-budget.ts'

const answer = { status: 200, headers: {}, body: null }
const bytes = createByteBudget(1_000_000)

/** One stage for each name of Server-Timing, those of `changed` in place of the usual ones. */
function begin(changed: Readonly<Record<string, Stage>> = {}) {
  const done: string[] = []
  const noted = (name: string): Stage => {
    const stage = changed[name]
    return (call) => {
      done.push(name)
      return stage?.(call)
    }
  }
  const answered: Stage = (call) => {
    call.answer = answer
  }
  const run = createRunner(
    timed({
      auth: [noted('auth')],
      parse: [noted('parse')],
      plan: [noted('plan')],
      store: [noted('store')],
      respond: [answered, noted('respond')],
    }),
  )
  const exchange = new Exchange()
  const rows = { limits: { bytes } } as unknown as Rows
  const call = new Call(rows, new Request('http://test/'), { name: 'project', queryText: '' }, exchange)
  return { run: () => run(call), call, done, exchange }
}

const later: Stage = () => Bun.sleep(1)
const fail = () => {
  throw new Error('refused')
}
const hold: Stage = async (call) => {
  call.hold = bytes.hold('acme')
  call.hold.hold(100)
}

describe('the stages of a request', () => {
  test('run in order, each is timed, and nothing is promised where none has to wait', () => {
    const { run, done, exchange } = begin()
    expect(run()).toBe(answer)
    expect(done).toEqual([...stageNames])
    expect(exchange.stages().map(({ name }) => name)).toEqual([...stageNames])
  })

  test('go on where one had to wait', async () => {
    const { run, done, exchange } = begin({ parse: later, store: later })
    const answering = run()
    expect(answering).toBeInstanceOf(Promise)
    expect([done, exchange.stageEnds.length]).toEqual([['auth', 'parse'], 1])
    expect(await answering).toBe(answer)
    expect([done, exchange.stageEnds.length]).toEqual([[...stageNames], 5])
    expect(exchange.stageEnds.toSorted((a, b) => a - b)).toEqual(exchange.stageEnds)
  })

  test('end with the first that fails, at once or after waiting', async () => {
    const atOnce = begin({ plan: fail })
    expect(atOnce.run).toThrow('refused')
    const waited = begin({ parse: later, plan: async () => fail() })
    await expect(waited.run()).rejects.toThrow('refused')
    for (const { done, exchange } of [atOnce, waited]) {
      expect(done).toEqual(['auth', 'parse', 'plan'])
      expect(exchange.stages().map(({ name }) => name)).toEqual(['auth', 'parse'])
    }
  })

  test.each([
    ['it is answered', {}],
    ['a later stage fails', { plan: fail }],
    ['a stage fails that was waited for', { store: async () => fail() }],
  ])('hold memory until %s', async (_, changed) => {
    const { run, call } = begin({ parse: hold, ...changed })
    const answering = Promise.allSettled([run()])
    expect([call.hold?.bytes, bytes.load().held]).toEqual([100, 100])
    await answering
    expect([call.hold?.bytes, bytes.load().held]).toEqual([0, 0])
  })
})

import { ApiError } from '../errors/index.ts'
import type { CompanyStatements, Right, Rows, Store } from './database.ts'
import { insertSeveralRows, insertsOneRow } from './several-rows.ts'
import type { Sql } from './sql.ts'

type Transact = CompanyStatements['transact']

/** How many rows wait to be put together, of all companies. */
export interface Gathering {
  waiting: number
}

interface Waiting {
  readonly statements: readonly Sql[]
  readonly right: Right | undefined
  readonly since: number
  readonly result: PromiseWithResolvers<readonly Rows[]>
}

/** Transactions with new rows of one company at the same time. Those that come meanwhile are put together. */
const atOnceMax = 4
/** How many are put together, less those whose right has ended. Few numbers, because connections keep a statement for each. */
const sizes = [8, 4, 2]
/** Rows beyond this number, and rows that have waited for this long or up to twice that, go to the queue of all statements. */
const waitingMax = 64
const usualWaitMs = 250

/** Failures that leave nothing written, and that one row may have caused: too slow (behind a lock), and undone after a deadlock. */
const undone = new Set(['57014', '40P01'])

/**
 * Puts new rows of one company that come at the same time into one transaction. Where most of the work of an insert is
 * to plan it, as on Citus, several rows take little longer than one. Whoever comes alone waits for nobody.
 */
export function gatherRows(
  transact: Transact,
  { dialect, explain }: Pick<Store, 'dialect' | 'explain'>,
  gathering: Gathering,
  waitMsMax = usualWaitMs,
): Transact {
  let running = 0
  let waiting: Waiting[] = []
  let isWatched = false

  function run<Result>(work: Promise<Result>): Promise<Result> {
    running += 1
    const end = () => {
      running -= 1
      const some = takeAlike()
      if (some.length > 0) void run(writeAsOne(some))
    }
    work.then(end, end)
    return work
  }

  /** Those that can be one with the first. */
  function takeAlike(): readonly Waiting[] {
    const [first] = waiting
    if (!first) return []
    const alike = waiting.filter(({ statements }) => areAlike(statements, first.statements))
    const some = alike.slice(0, sizes.find((size) => size <= alike.length) ?? 1)
    waiting = waiting.filter((one) => !some.includes(one))
    return some
  }

  async function writeAsOne(some: readonly Waiting[]): Promise<void> {
    const allowed = (await Promise.all(some.map(ifStillAllowed))).filter((one) => one !== null)
    const [first, ...others] = allowed
    if (!first) return
    if (others.length === 0) return writeAlone(first)
    const rows = first.statements.map((_, at) => allowed.flatMap(({ statements }) => statements[at] ?? []))
    const right = async () => void (await Promise.all(allowed.map(async (one) => one.right?.())))
    try {
      await transact(
        rows.map((inserts) => insertSeveralRows(inserts, dialect.placeholder)),
        undefined,
        right,
      )
      for (const { result } of allowed) result.resolve([])
    } catch (error) {
      if (mayBeOfOne(error)) await Promise.all(allowed.map(writeAlone))
      else for (const { result } of allowed) result.reject(error)
    }
  }

  /** Whether nothing was written, and one row may be the reason. */
  const mayBeOfOne = (error: unknown): boolean =>
    error instanceof ApiError ? error.status < 500 || undone.has(error.code) : explain(error) !== null

  async function writeAlone({ statements, right, result }: Waiting): Promise<void> {
    try {
      await right?.()
      result.resolve(await transact(statements, undefined, right))
    } catch (error) {
      result.reject(error)
    }
  }

  /** Bounds the wait, even if what is under way never ends. */
  function watch(): void {
    if (isWatched) return
    isWatched = true
    setTimeout(() => {
      isWatched = false
      const late = performance.now() - waitMsMax
      const gone = waiting.filter(({ since }) => since <= late)
      waiting = waiting.filter(({ since }) => since > late)
      for (const one of gone) void writeAlone(one)
      if (waiting.length > 0) watch()
    }, waitMsMax).unref()
  }

  async function wait(statements: readonly Sql[], right: Right | undefined): Promise<readonly Rows[]> {
    const result = Promise.withResolvers<readonly Rows[]>()
    waiting.push({ statements, right, since: performance.now(), result })
    gathering.waiting += 1
    watch()
    try {
      return await result.promise
    } finally {
      gathering.waiting -= 1
    }
  }

  return (statements, check, right) => {
    const areRows = statements.length > 0 && statements.every(insertsOneRow)
    if (check || !areRows || waiting.length >= waitingMax) return transact(statements, check, right)
    return running < atOnceMax ? run(transact(statements, undefined, right)) : wait(statements, right)
  }
}

/** null where the right has ended meanwhile, which its sender is told. */
async function ifStillAllowed(one: Waiting): Promise<Waiting | null> {
  try {
    await one.right?.()
    return one
  } catch (error) {
    one.result.reject(error)
    return null
  }
}

const areAlike = (some: readonly Sql[], others: readonly Sql[]): boolean =>
  some.length === others.length && some.every(({ texts }, at) => texts === others[at]?.texts)

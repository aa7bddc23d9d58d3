import { AssertionError } from 'node:assert'
import { before, test as nodeTest } from 'node:test'
import { inspect } from 'node:util'

/** In the place of bun:test under Node: as much of it as the tests of the clients use. */
export { beforeEach } from 'node:test'
export const beforeAll = (work: () => Promise<void>): void => before(work)
export const test = (name: string, work: () => Promise<void>): void => void nodeTest(name, work)

/** What an expected value may have in the place of a plain one. */
class Matcher {
  constructor(
    readonly words: string,
    readonly matches: (actual: unknown) => boolean,
  ) {}

  [inspect.custom](): string {
    return this.words
  }
}

type Class = new (...given: never[]) => unknown

function isA(actual: unknown, type: Class): boolean {
  return actual instanceof type || Object(actual) instanceof type
}

const isText = (actual: unknown): actual is string => typeof actual === 'string'
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Members that are undefined count as absent. With `isPart`, the actual object may have more members. */
function equals(actual: unknown, expected: unknown, isPart = false): boolean {
  if (expected instanceof Matcher) return expected.matches(actual)
  if (!isObject(actual) || !isObject(expected)) return Object.is(actual, expected)
  if (Array.isArray(actual) !== Array.isArray(expected)) return false
  if (Array.isArray(actual) && actual.length !== (expected as unknown as unknown[]).length) return false
  const names = new Set([...Object.keys(expected), ...(isPart ? [] : Object.keys(actual))])
  return [...names].every((name) => equals(actual[name], expected[name], isPart))
}

function expectValue(actual: unknown) {
  const must = (operator: string, expected: unknown, holds: boolean): void => {
    const message = `expected ${inspect(actual, { depth: 9 })}\n${operator} ${inspect(expected, { depth: 9 })}`
    if (!holds) throw new AssertionError({ message, actual, expected, operator })
  }
  const contains = (part: string): boolean => isText(actual) && actual.includes(part)
  return {
    toBe: (expected: unknown) => must('toBe', expected, Object.is(actual, expected)),
    toBeNull: () => must('toBe', null, actual === null),
    toEqual: (expected: unknown) => must('toEqual', expected, equals(actual, expected)),
    toMatchObject: (expected: unknown) => must('toMatchObject', expected, equals(actual, expected, true)),
    toBeGreaterThan: (least: number) => must('toBeGreaterThan', least, Number(actual) > least),
    toBeInstanceOf: (type: Class) => must('toBeInstanceOf', type, isA(actual, type)),
    toHaveLength: (length: number) => must('toHaveLength', length, (actual as ArrayLike<unknown>).length === length),
    toMatch: (pattern: RegExp) => must('toMatch', pattern, pattern.test(String(actual))),
    not: { toContain: (part: string) => must('not toContain', part, !contains(part)) },
  }
}

export const expect = Object.assign(expectValue, {
  any: (type: Class) => new Matcher(`any ${type.name}`, (actual) => isA(actual, type)),
  objectContaining: (part: object) =>
    new Matcher(`objectContaining ${inspect(part)}`, (actual) => isObject(actual) && equals(actual, part, true)),
  stringContaining: (part: string) =>
    new Matcher(`stringContaining ${inspect(part)}`, (actual) => isText(actual) && actual.includes(part)),
  stringMatching: (pattern: RegExp) =>
    new Matcher(`stringMatching ${pattern}`, (actual) => isText(actual) && pattern.test(actual)),
})

import { describe, expect, spyOn, test } from 'bun:test'
import fc from 'fast-check'
import { RE2JS } from 're2js'
import { ApiError } from '../../src/errors/index.ts'
import { makePlan } from '../../src/plan/make-plan.ts'
import { parseRequest } from '../../src/request/parse-request.ts'
import { project } from '../../src/resources/index.ts'
import { parsePattern } from '../../src/resources/text/pattern.ts'
import { matcherOf } from '../../src/resources/text/pattern-matcher.ts'
import { sizeOfPattern } from '../../src/resources/text/pattern-size.ts'

const sizeOf = (pattern: string) => sizeOfPattern(pattern, false)

describe('the size of a pattern', () => {
  test('counts what is repeated as often as it is repeated', () => {
    expect(sizeOf('abc').parts).toBe(3)
    expect(sizeOf('a{20}').parts).toBe(20)
    expect(sizeOf('(?:a{20}){30}').parts).toBe(20 * 30 + 2 * 30)
    expect(sizeOf('(?:(?:a{20}){30}){10}').parts).toBeGreaterThan(20 * 30 * 10)
  })

  test('counts the ways from one part to the next', () => {
    expect(sizeOf('abc').steps).toBe(3)
    // From the beginning to each of the three, and from each to those behind it.
    expect(sizeOf('a?b?c?').steps).toBe(3 + 3)
    expect(sizeOf('(?:a?){100}').steps).toBe((100 * 101) / 2)
    expect(sizeOf('a{0,100}').steps).toBe(100)
  })

  test('counts a set of characters once for each part that divides it', () => {
    expect(sizeOf('[a-z]{10}').steps).toBe(10)
    expect(sizeOf('[a-z]{10}[k-q]').steps).toBe(11 * 2)
  })

  test('counts the characters of a range only where case is ignored', () => {
    const range = '[一-龥]'
    expect(sizeOfPattern(range, true).steps).toBeGreaterThan(100 * sizeOfPattern(range, false).steps)
  })

  test('counts anchors that can follow each other', () => {
    expect(sizeOf('^a$').anchors).toBe(2)
    expect(sizeOf('^a$|^b$|^c$').anchors).toBe(2)
    expect(sizeOf('(?:^|a|$){16}').anchors).toBe(16)
    expect(sizeOf('[$^]{50}').anchors).toBe(0)
    expect(sizeOf('\\ma\\M|\\Ab\\Z').anchors).toBe(2)
    expect(sizeOf('\\y\\Y').anchors).toBe(4)
  })

  test('counts everything more often where ends of words are looked for', () => {
    expect(sizeOf('\\mabc')).toEqual({ parts: 3 * 4, steps: 2 * 4, anchors: 1 })
    expect(sizeOf('(?i)\\yabc')).toEqual({ parts: 4, steps: 4 * 4, anchors: 2 })
  })

  test('is never smaller than half of the program that it becomes', () => {
    const atom = fc.constantFrom('a', 'b', '.', '[a-c]', '[^x]', '\\.', '\\w', '[]x]')
    const quantifier = fc.constantFrom('', '*', '+', '?', '{3}', '{0,7}', '{2,}', '*?')
    const { pattern } = fc.letrec<{ pattern: string; piece: string }>((tie) => ({
      piece: fc
        .tuple(
          fc.oneof(
            { weight: 3, arbitrary: atom },
            tie('pattern').map((inner) => `(?:${inner})`),
          ),
          quantifier,
        )
        .map((parts) => parts.join('')),
      pattern: fc
        .array(tie('piece'), { minLength: 1, maxLength: 4 })
        .chain((pieces) => fc.constantFrom(pieces.join(''), pieces.join('|'))),
    }))
    fc.assert(
      fc.property(pattern, (text) => {
        const parsed = parsePattern(text.slice(0, 500))
        if (sizeOf(parsed).parts > 5000) return
        const program = compiled(parsed)
        if (program) expect(program.programSize()).toBeLessThanOrEqual(2 * sizeOf(parsed).parts + 4)
      }),
      { numRuns: 500 },
    )
  })
})

function compiled(pattern: string): RE2JS | null {
  try {
    return RE2JS.compile(pattern)
  } catch {
    return null
  }
}

function plan(query: string, companyId: string | null = 'a company') {
  const request = parseRequest('GET', query, new Headers())
  return makePlan({
    request,
    payload: { text: '', single: false, rows: [] },
    resource: project,
    companyId,
    actor: null,
    rowsMax: null,
  })
}

function messageOf(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    if (error instanceof ApiError) return error.message
    throw error
  }
  return ''
}

describe('patterns of a request', () => {
  const hostile = `(?:(?:${'a?'.repeat(20)}){31}){32}`

  test('are refused before any is compiled where they are too large in all', () => {
    const compile = spyOn(RE2JS, 'compile')
    expect(messageOf(() => plan(`project_name=match.${hostile}`))).toStartWith('More than 500 parts')
    expect(messageOf(() => plan('project_name=match.(?:a?){60}'))).toStartWith('More than 1500 steps')
    expect(messageOf(() => plan(`project_name=match.${'(?:$|^)'.repeat(20)}`))).toStartWith('More than 6 anchors')
    const half = `${'b'.repeat(300)}`
    expect(
      messageOf(() => plan(`project_name=match.${half}&select=id,bid(id)&bid.bid_name=match.${half}c`)),
    ).toStartWith('More than 500 parts')
    const many = Array.from({ length: 21 }, (_, at) => `project_name=match.m${at}`).join('&')
    expect(messageOf(() => plan(many))).toBe('More than 20 regular expressions in one request')
    expect(messageOf(() => plan(`project_name=match(any).{${Array.from({ length: 21 }, String).join(',')}}`))).toBe(
      'More than 20 regular expressions in one request',
    )
    expect(compile).toHaveBeenCalledTimes(0)
    compile.mockRestore()
  })

  test('are compiled once, for the check and for whoever matches', () => {
    const compile = spyOn(RE2JS, 'compile')
    const name = `^once-${Bun.randomUUIDv7()}`
    plan(`project_name=match.${name}&or=(project_name.match.${name},project_name.imatch.${name})`)
    plan(`project_name=match.${name}`)
    matcherOf(name, false)('x')
    matcherOf(name, true)('x')
    expect(compile).toHaveBeenCalledTimes(2)
    compile.mockRestore()
  })

  test('are not looked at where there is no company', () => {
    const compile = spyOn(RE2JS, 'compile')
    expect(plan('project_name=match.never-seen-before', null)).toEqual({ kind: 'nothing', single: false })
    expect(plan(`project_name=match.${hostile}&nope=eq.1&id=eq.x&order=nope&select=nope,nope()`, null).kind).toBe(
      'nothing',
    )
    expect(compile).toHaveBeenCalledTimes(0)
    compile.mockRestore()
  })

  test('of like and of searches are bounded in all', () => {
    const like = `project_name=like.*${'a'.repeat(120)}*`
    expect(messageOf(() => plan(Array.from({ length: 5 }, () => like).join('&')))).toStartWith(
      'More than 500 characters',
    )
    expect(messageOf(() => plan(`project_name=wfts.${'word+'.repeat(110)}`))).toStartWith('More than 500 characters')
    expect(messageOf(() => plan(Array.from({ length: 21 }, () => 'project_name=fts.a').join('&')))).toBe(
      'More than 20 full-text searches in one request',
    )
    expect(messageOf(() => plan(`${like}&project_name=wfts.steel+deck`))).toBe('')
  })
})

import { expect, test } from 'bun:test'
import { isContradiction } from '../../src/plan/contradiction.ts'
import { makePlan } from '../../src/plan/make-plan.ts'
import { parseRequest } from '../../src/request/parse-request.ts'
import { findResource } from '../../src/resources/index.ts'

const [one, other] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002']

function contradicts(query: string): boolean {
  const request = parseRequest('DELETE', query, new Headers())
  const payload = { text: '', single: false, rows: [] }
  const plan = makePlan({
    request,
    payload,
    resource: findResource('project'),
    companyId: one,
    actor: null,
    rowsMax: null,
  })
  if (plan.kind !== 'delete') throw new Error('A delete was expected')
  return isContradiction(plan)
}

test.each([
  `id=eq.${one}&id=eq.${other}`,
  `id=eq.${one}&id=in.(${other})`,
  `id=eq.${one}&and=(project_name.eq.A,id.eq.${other})`,
  'project_name=eq.A&project_name=eq.B',
  'id=is.null',
])('no row can match %s', (query) => {
  expect(contradicts(query)).toBe(true)
})

test.each([
  `id=eq.${one}`,
  `id=eq.${one}&id=eq.${one.toUpperCase()}`,
  `id=eq.${one}&bid_id=eq.${other}`,
  `id=in.(${one},${other})&id=eq.${other}`,
  `id=eq.${one}&id=neq.${other}`,
  `id=eq.${one}&id=not.eq.${other}`,
  `or=(id.eq.${one},id.eq.${other})`,
  `id=eq.${one}&not.and=(id.eq.${other})`,
  'id=not.is.null',
  'created_at=gt.2026-01-02&created_at=lt.2026-01-01',
])('a row may match %s, as far as can be told', (query) => {
  expect(contradicts(query)).toBe(false)
})

import { expect, test } from 'bun:test'
import { createCompanySizes } from '../../src/store/company-sizes.ts'

test('a size is remembered, until the company writes', async () => {
  let rows = 1
  let counted = 0
  const sizes = createCompanySizes({
    companyId: '01890a5d-ac96-774b-bcce-b302099a8057',
    isInThread: false,
    read: () => {
      counted += 1
      return [[rows]]
    },
  })
  expect([await sizes.of('project'), await sizes.of('project'), counted]).toEqual([1, 1, 1])
  sizes.forget()
  // Counted while the write is under way: what it will leave is not seen yet.
  expect(await sizes.of('project')).toBe(1)
  rows = 301
  sizes.forget()
  expect(await sizes.of('project')).toBe(301)
})

import { expect, test } from 'bun:test'
import { makePlan } from '../../src/plan/make-plan.ts'
import type { ReadPlan, WritePlan } from '../../src/plan/plan.ts'
import { parseRequest } from '../../src/request/parse-request.ts'
import type { Column, Resource } from '../../src/resources/define.ts'
import { findResource } from '../../src/resources/index.ts'
import type { CompanyStore } from '../../src/store/database.ts'
import { type Effort, effortOfRead, isAlwaysSmall } from '../../src/store/effort.ts'
import { effortOfWrite } from '../../src/store/execute-write.ts'
import { sharedWorkMax, workMax } from '../../src/store/limits.ts'
import { type OwnBytes, shortRows } from '../../src/store/own-bytes.ts'

const id = '01890a5d-ac96-774b-bcce-b302099a8057'
const page = { limit: 20, offset: 0 }
const small: Effort = { isLong: false, isLarge: false }

const smallForEverybody = [
  'project',
  'project?limit=1000',
  `project?id=eq.${id}`,
  `project?id=eq.${id}&project_name=like.*a*`,
  `project?id=in.(${id},${id})&order=project_name`,
  `project?id=gt.${id}`,
  `project?id=gt.${id}&id=lt.${id}&order=id.desc`,
  `project?bid_id=eq.${id}`,
  `project?bid_id=eq.${id}&id=gt.${id}`,
  'project?select=*,bid(*)',
  'project?select=*,bid!inner(*)',
  'project?offset=5000',
]

const dependent = [
  'project?project_name=eq.a',
  'project?project_name=like.a*',
  'project?order=project_name',
  'project?order=bid(bid_name)&select=*,bid(*)',
  `project?bid_id=eq.${id}&bid_id=eq.${id}`,
  `project?id=gt.${id}&id=gte.${id}`,
  `project?id=neq.${id}`,
  `project?or=(id.eq.${id},bid_id.eq.${id})`,
  `project?bid_id=in.(${id})`,
  'project?select=count()',
  'project?select=*,bid!inner(*)&bid.bid_name=eq.a',
  'project?select=*,bid(project(*))',
  'bid?select=*,project(*)',
  'bid?select=*,project!inner(*)',
  'bid?select=*,project(*)&project=not.is.null&project.project_name=eq.a',
  'project?offset=1000000',
]

test.each(smallForEverybody)('%s is small, however many rows there are', (path) => {
  expect(isAlwaysSmall(planOf(path), rangeOf(path))).toBe(true)
})

test.each(dependent)('%s is small for a small company and not for a large one', async (path) => {
  expect(isAlwaysSmall(planOf(path), rangeOf(path))).toBe(false)
  expect(await effortOfRead(storeOf(20), planOf(path), rangeOf(path))).toEqual(small)
  expect(await effortOfRead(storeOf(5001), planOf(path), rangeOf(path))).not.toEqual(small)
})

test('what takes turns with others has less time in the thread', async () => {
  const most = (path: string, rows: number) =>
    effortOfRead(storeOf(rows), planOf(path), rangeOf(path), { most: sharedWorkMax, smallUpTo: 0 })
  for (const path of ['project', 'project?select=*,bid(*)', 'project?limit=100', `project?id=eq.${id}`])
    expect([path, await most(path, 5001)]).toEqual([path, small])
  expect(await most('project?project_name=eq.a', 1000)).toEqual(small)
  const search = 'project?project_name=fts.zq&select=count()'
  expect(await effortOfRead(storeOf(500), planOf(search), page)).toEqual(small)
  expect(await most(search, 500)).toEqual({ isLong: true, isLarge: false })
  expect(await most(search, 20)).toEqual(small)
})

test('a count is small for a small company and not for a large one', async () => {
  const plan = { ...planOf('project'), counted: true }
  expect(await effortOfRead(storeOf(1000), plan, page)).toEqual(small)
  expect(await effortOfRead(storeOf(5001), plan, page)).toEqual({ isLong: true, isLarge: false })
})

test('a thousand projects are filtered by name in the thread that serves', async () => {
  expect(await effortOfRead(storeOf(1000), planOf('project?project_name=eq.a'), page)).toEqual(small)
  expect(await effortOfRead(storeOf(1000), planOf('project?project_name=ilike.*bridge*'), page)).toEqual(small)
})

test('a regular expression meets one row at most in the thread that serves', async () => {
  const pattern = 'project_name=match.a'
  expect(isAlwaysSmall(planOf(`project?id=eq.${id}&${pattern}`), page)).toBe(true)
  expect(await effortOfRead(storeOf(20), planOf(`project?${pattern}`), page)).toEqual({ isLong: true, isLarge: false })
})

test('a list to compare with leaves the thread by how often it is made, however few rows there are', async () => {
  const list = `in.(${Array.from({ length: 10_000 }, (_, at) => at).join(',')})`
  const once = planOf(`project?project_name=${list}`)
  expect(await effortOfRead(storeOf(20), once, page)).toEqual(small)
  for (const query of [
    `bid?select=id,project(id)&project.project_name=${list}&or=(project.is.null,project.is.null,project.is.null)`,
    `bid?select=id,...project(id,project_name,created_at)&project.project_name=${list}`,
    `project?select=id,bid(bid_name)&bid.bid_name=${list}&order=bid(bid_name)`,
  ])
    expect([query, await effortOfRead(storeOf(20), planOf(query), page)]).toEqual([
      query,
      { isLong: true, isLarge: false },
    ])
})

test('looking for long values leaves the thread by how long and how many they are', async () => {
  const among = (count: number, length: number) =>
    planOf(`project?project_name=in.(${Array.from({ length: count }, (_, at) => 'a'.repeat(length) + at).join(',')})`)
  expect(await effortOfRead(storeOf(5000), among(20, 30), page)).toEqual(small)
  expect(await effortOfRead(storeOf(5000), among(30, 3900), page)).toMatchObject({ isLong: true })
})

test('a comparison with any or all of a list leaves the thread by how many there are', async () => {
  const several = (count: number) =>
    planOf(`project?or=(${Array.from({ length: count }, (_, at) => `project_name.lt(any).{${at}}`).join(',')})`)
  expect(await effortOfRead(storeOf(2900), several(2), page)).toEqual(small)
  expect(await effortOfRead(storeOf(2900), several(30), page)).toMatchObject({ isLong: true })
})

test('rows are sorted in the thread that serves, by how many are kept', async () => {
  const effort = (rows: number, query: string) => {
    const plan = planOf(query)
    return effortOfRead(storeOf(rows), plan, plan.range)
  }
  const sorted = 'project?order=project_name.desc'
  expect(await effort(5000, `${sorted}&limit=21`)).toEqual(small)
  expect(await effort(5000, `${sorted}&limit=1&offset=4000`)).toMatchObject({ isLong: true })
  expect(await effort(5000, 'project?order=id.desc&project_name=neq.a&limit=1&offset=4000')).toEqual(small)
  const embeds = Array.from({ length: 5 }, (_, at) => `p${at}`)
  const shown = `bid?select=${embeds.map((name) => `${name}:project(id)`).join(',')}`
  const ordered = embeds.map((name) => `${name}.order=project_name&${name}.limit=1&${name}.offset=2500`).join('&')
  expect(await effort(2900, `${shown}&${ordered}&limit=3`)).toMatchObject({ isLong: true })
})

test('what is spread is looked up for each of its columns', async () => {
  const spread = (columns: number) => {
    const names = Array.from({ length: columns }, (_, at) => `p${at}:project_name`).join(',')
    return planOf(`bid?select=id,...project(${names})&project.project_name=like.a*&project.limit=1&limit=1`)
  }
  expect(await effortOfRead(storeOf(1500), spread(1), page)).toEqual(small)
  expect(await effortOfRead(storeOf(1500), spread(20), page)).toMatchObject({ isLong: true })
})

test('a cast is made of every row that is grouped or sorted by it, however few are shown', async () => {
  const aliases = Array.from({ length: 100 }, (_, at) => `v${at}:created_at::text.max()`).join(',')
  const zone = new Headers({ Prefer: 'timezone=Europe/Berlin' })
  for (const [rows, plan] of [
    [1000, planOf(`project?select=${aliases}&limit=1`)],
    [100, planOf(`project?select=${aliases}&limit=1`, zone)],
    [2000, planOf('project?select=project_name::numeric.sum()&limit=1')],
    [2000, planOf('project?select=project_name.max()::numeric,bid_id&limit=1')],
    [2000, planOf('project?select=*,bid(n:bid_name::numeric)&order=bid(n)&limit=1')],
  ] as const)
    expect(await effortOfRead(storeOf(rows), plan, plan.range)).toEqual({ isLong: true, isLarge: false })
})

test('what is embedded in rows that are grouped is made for every row, however few groups are shown', async () => {
  const plan = planOf('project?select=bid(project(count())),count()&limit=1')
  expect(await effortOfRead(storeOf(1000), plan, plan.range)).toMatchObject({ isLong: true })
})

test('days of a thousand times are counted in the thread that serves', async () => {
  const plan = planOf('project?select=created_at::date,count()')
  expect(await effortOfRead(storeOf(1000), plan, { limit: 1001, offset: 0 })).toEqual(small)
})

test('rows that are wide make a page large', async () => {
  const aliases = Array.from({ length: 20 }, (_, at) => `n${at}:project_name`).join(',')
  const plan = planOf(`project?select=${aliases}`)
  expect(isAlwaysSmall(plan, page)).toBe(true)
  expect(await effortOfRead(storeOf(5001), plan, { limit: 1000, offset: 0 })).toMatchObject({ isLarge: true })
})

test('250 new rows are written in the thread that serves, however many there are, unless much is read for them', async () => {
  const effort = (count: number, query: string) => effortOfWrite(storeOf(5001), insertOf(query, count))
  expect(await effort(250, '')).toEqual({ ...small, isCounted: true })
  expect(await effort(250, 'select=id,project_name')).toEqual({ ...small, isCounted: true })
  expect(await effort(251, '')).toEqual({ isLong: true, isLarge: false, isCounted: true })
  expect(await effort(1000, 'select=*,bid(*)')).toMatchObject({ isLong: true })
})

test('what a write shows is counted by how much it may be', async () => {
  const counted = async (count: number, query: string) =>
    (await effortOfWrite(storeOf(5001), insertOf(query, count))).isCounted
  expect(await Promise.all([counted(1, ''), counted(10, ''), counted(100, 'select=id')])).toEqual([false, false, false])
  expect(await counted(100, '')).toBe(true)
  expect(await counted(1, 'select=*,bid(*)')).toBe(false)
  expect(await counted(1, 'select=*,bid(project(*))')).toBe(true)
})

const long: Column = {
  ...{ name: 'note', type: 'text', description: '', nullable: true, maxLength: 4000 },
  field: { id, wasArchived: false, index: null },
}
const { maxLength, ...short } = long
const count: Column = { ...short, name: 'n', type: 'integer' }

const withFields = (resource: Resource, all: readonly Resource[]): Resource => ({
  ...resource,
  columns: new Map([...resource.columns, [count.name, count], [long.name, long]]),
  siblings: all,
  own: { version: 1, columns: [count, long], archived: [] },
})

/** As a company with a number and a long text in each knows them. */
const owned: Resource[] = []
owned.push(...[findResource('bid'), findResource('project')].map((resource) => withFields(resource, owned)))

const ownPlanOf = (query: string): ReadPlan => planOf(`project?${query}`, new Headers(), owned[1])
const ofAll = (bytes: number): OwnBytes => ({ longest: [bytes, bytes, bytes, bytes], others: bytes })
const ofOne: OwnBytes = { longest: [192_000], others: 300 }

const usual = ['limit=20', 'n=eq.5', 'select=n.sum()', 'note=ilike.*bridge*', 'order=n', 'select=id,n,bid(n)&limit=20']

test.each(usual)('%s stays in the thread for a company that permits long texts, and has none', async (query) => {
  const plan = ownPlanOf(query)
  expect(await effortOfRead(storeOf(500), plan, plan.range)).toMatchObject({ isLong: false })
})

test.each(usual)('%s leaves the thread for a company whose rows are long', async (query) => {
  const plan = ownPlanOf(query)
  for (const smallUpTo of [0, Number.POSITIVE_INFINITY])
    expect(
      await effortOfRead(storeOf(500, ofAll(192_000)), plan, plan.range, { most: workMax, smallUpTo }),
    ).toMatchObject({
      isLong: true,
    })
})

test.each(['id', 'id,n'])(
  'a page of %s leaves the thread where rows are long, as they are read to be counted',
  async (names) => {
    const plan = ownPlanOf(`select=${names}&limit=1000`)
    expect(
      await effortOfRead(storeOf(5001, ofAll(192_000)), plan, plan.range, {
        most: workMax,
        smallUpTo: Number.POSITIVE_INFINITY,
      }),
    ).toMatchObject({
      isLong: true,
    })
  },
)

test('one long row among short ones counts once where each row is met once, and always where all may lead to it', async () => {
  const once = ownPlanOf('n=eq.5')
  expect(await effortOfRead(storeOf(500, ofOne), once, once.range)).toMatchObject({ isLong: false })
  const again = ownPlanOf('select=id,bid(n)')
  expect(await effortOfRead(storeOf(500, ofOne), again, again.range)).toMatchObject({ isLong: true })
})

test('a search in long texts leaves the thread by how long they are', async () => {
  const words = Array.from({ length: 28 }, () => 'a').join(' ')
  for (const search of [`note=phfts.${words}`, `note=like.*${'a'.repeat(400)}b*`]) {
    const plan = ownPlanOf(search)
    expect(await effortOfRead(storeOf(20, ofAll(4000)), plan, plan.range)).toMatchObject({ isLong: true })
    expect(await effortOfRead(storeOf(20), plan, plan.range)).toMatchObject({ isLong: false })
  }
  const pattern = ownPlanOf(`id=eq.${id}&note=match.a`)
  expect(await effortOfRead(storeOf(20, ofAll(4000)), pattern, pattern.range)).toMatchObject({ isLong: true })
})

test('a cast of a long text leaves the thread by how long it is', async () => {
  const plan = ownPlanOf('select=note::numeric,count()&limit=1')
  expect(await effortOfRead(storeOf(100, ofAll(4000)), plan, plan.range)).toMatchObject({ isLong: true })
  expect(await effortOfRead(storeOf(100), plan, plan.range)).toMatchObject({ isLong: false })
})

test('names of built-in columns are compared at the same cost, whatever else a row has', async () => {
  for (const [query, rows] of [
    ['project_name=ilike.*bridge*', 1000],
    ['project_name=eq.a', 5000],
  ] as const) {
    const plan = planOf(`project?${query}`)
    expect(await effortOfRead(storeOf(rows, ofAll(192_000)), plan, page)).toEqual(small)
  }
})

const storeOf = (rows: number, own = shortRows): CompanyStore =>
  ({ sizeOf: () => rows, ownBytesOf: () => own, workMax: () => workMax }) as Partial<CompanyStore> as CompanyStore

const rangeOf = (path: string) =>
  planOf(path).range.limit === null ? { ...page, offset: planOf(path).range.offset } : planOf(path).range

function insertOf(query: string, count: number): WritePlan {
  const request = parseRequest('POST', query, new Headers())
  const rows = Array.from({ length: count }, () => ({ bid_id: id, project_name: 'a' }))
  const payload = { text: JSON.stringify(rows), single: false, rows }
  const plan = makePlan({
    ...{ request, payload, resource: findResource('project') },
    ...{ companyId: id, actor: null, rowsMax: null },
  })
  if (plan.kind !== 'insert') throw new Error('An insert was expected')
  return plan
}

function planOf(path: string, headers = new Headers(), known?: Resource): ReadPlan {
  const [name = '', queryText = ''] = path.split('?')
  const resource = known ?? findResource(name)
  const request = parseRequest('GET', queryText, headers)
  const payload = { text: '', single: false, rows: [] }
  const plan = makePlan({ request, payload, resource, companyId: id, actor: null, rowsMax: null })
  if (plan.kind !== 'read') throw new Error('A read was expected')
  return plan
}

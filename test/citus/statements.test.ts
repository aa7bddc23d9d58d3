import { expect, test } from 'bun:test'
import { SQL } from 'bun'
import { catalogueOf } from '../cluster/catalogue.ts'
import { recordTour } from '../cluster/record-tour.ts'
import { makeDistributedPlace, query } from '../support/citus.ts'

test('every statement of a request needs one shard, and Citus takes all others', async () => {
  const { ofOneCompany, ofAll } = await recordTour({ name: 'postgres', makePlace: makeDistributedPlace })
  expect(ofOneCompany.length).toBeGreaterThan(100)
  const place = await makeDistributedPlace()
  try {
    const url = place.url.replace('?citus=true', '')
    await using client = new SQL(url, { max: 1 })
    // One by one, because Citus sends the whole text to the nodes.
    for (const statement of catalogueOf(ofOneCompany, ofAll).split(/;\n/)) await client.unsafe(statement)
    expect(await query(url, 'select count(*)::int from company')).toEqual([[0]])
  } finally {
    await place.remove()
  }
}, 300_000)

import { expect, test } from 'bun:test'
import { sql } from '../../src/store/sql.ts'
import { onEachEngine } from '../support/engines.ts'

const payloads = [
  `'; drop table project; --`,
  `"; drop table project; --`,
  `' or '1'='1`,
  `1) or 1=1 --`,
  `") from project; delete from bid; --`,
  `\\'; drop table bid; --`,
  `$1`,
  `?`,
  `*/ drop table project /*`,
  `') union select id, name, api_key, access, created_at from credential --`,
  `%' or true --`,
  `}'; drop table project; --`,
  `x from "bid"`,
]

/** Every place of a query string that takes a name or a value. */
const places: Readonly<Record<string, (text: string) => string>> = {
  'a selected column': (text) => `select=${text}`,
  'a quoted column': (text) => `select="${text.replaceAll('"', '')}"`,
  'an alias': (text) => `select="${text.replaceAll('"', '\\"')}":id`,
  'a cast': (text) => `select=id::${text}`,
  'an embed': (text) => `select=id,${text}(id)`,
  'an embed by a quoted name': (text) => `select=id,"${text.replaceAll('"', '')}"(id)`,
  'a hint': (text) => `select=id,bid!${text}(id)`,
  'the column of a filter': (text) => `${text}=eq.1`,
  'an operator': (text) => `id=${text}.1`,
  'a value': (text) => `project_name=eq.${text}`,
  'a uuid': (text) => `id=eq.${text}`,
  'a time': (text) => `created_at=gt.${text}`,
  'a list': (text) => `project_name=in.("${text}",${text})`,
  'an array': (text) => `project_name=eq(any).{"${text}",x}`,
  'a pattern': (text) => `project_name=ilike.*${text}*`,
  'a regular expression': (text) => `project_name=match.${text}`,
  'a search': (text) => `project_name=wfts.${text}`,
  'a search with operators': (text) => `project_name=fts.'${text}'`,
  'a language': (text) => `project_name=fts(${text}).x`,
  'a tree': (text) => `or=(project_name.eq."${text}",id.eq.${text})`,
  'an order': (text) => `order=${text}`,
  'a related order': (text) => `select=id,bid(id)&order=bid(${text})`,
  'a limit': (text) => `limit=${text}`,
  'an offset': (text) => `offset=${text}`,
  'the columns': (text) => `columns=${text}`,
  'the target of a conflict': (text) => `on_conflict=${text}`,
}

onEachEngine('SQL in a request', (world) => {
  for (const [place, query] of Object.entries(places)) {
    test(`is only text in ${place}`, async () => {
      const before = await everything()
      for (const payload of payloads) {
        const encoded = query(payload)
          .split('&')
          .map((pair) => pair.split('=').map(encodeURIComponent).join('='))
          .join('&')
        for (const send of [
          () => world.acme.get(`/project?${encoded}`),
          () => world.acme.patch(`/project?${encoded}&id=eq.${world.rival.project}`, { project_name: payload }),
          () => world.acme.delete(`/project?${encoded}&id=eq.${world.rival.project}`),
        ]) {
          const { status, text } = await send()
          expect(status).toBeLessThan(500)
          expect(text).not.toContain(world.rival.apiKey)
        }
      }
      expect(await everything()).toEqual(before)
    })
  }

  test('is only text in a body', async () => {
    for (const payload of payloads) {
      const { status, json } = await world.acme.post('/project', { bid_id: world.acme.bid, project_name: payload })
      expect([status, json.project_name]).toEqual([201, payload])
      expect((await world.acme.post('/project', { bid_id: payload, project_name: payload })).status).toBe(400)
      expect((await world.acme.post('/project', { [payload]: payload })).status).toBe(400)
      expect((await world.acme.post('/project', [{ id: payload }, { id: payload }])).status).toBe(400)
      await world.acme.delete(`/project?id=eq.${json.id}`)
    }
  })

  test('is only text in a path and in headers', async () => {
    for (const payload of payloads) {
      expect((await world.acme.get(`/${encodeURIComponent(payload)}`)).status).toBe(404)
      for (const header of ['Accept-Profile', 'Prefer', 'Range', 'If-None-Match']) {
        expect((await world.acme.get('/project', { [header]: payload })).status).toBeLessThan(500)
      }
    }
  })

  const everything = async () => [
    await world.db.read(sql`select * from project order by company_id, id`),
    await world.db.read(sql`select * from bid order by company_id, id`),
    (await world.rival.get('/project')).json,
  ]
})

import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProgram } from '../support/command.ts'
import { onEachEngine } from '../support/engines.ts'
import { runCli, until } from '../support/service.ts'

setDefaultTimeout(300_000)

const folder = mkdtempSync(join(tmpdir(), 'transfer-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function file(name: string, text: string | Buffer): string {
  const path = join(folder, `${Bun.randomUUIDv7()}-${name}`)
  writeFileSync(path, text)
  return path
}

onEachEngine('import and export on the command line', (world) => {
  const of = (resource: string) => ['--company', 'Acme', '--resource', resource]
  const run = (...args: string[]) => runProgram([...args, '--json'], { DATABASE_URL: world.databaseUrl })

  /** Imports lots. A busy machine may be too slow for a part of them: those of the parts before it are deleted, and all are imported again. */
  async function importLots(path: string) {
    for (let deleted = 0; ; ) {
      const { exitCode, stdout, stderr } = await run('import', ...of('project'), path)
      if (!stderr.includes('statement timeout')) return { exitCode, stdout, deleted }
      const { headers } = await world.acme.delete('/project?project_name=like.Lot*', { Prefer: 'count=exact' })
      deleted += Number(headers.get('Content-Range')?.split('/')[1])
    }
  }

  test('create the rows of a file, and write them again', async () => {
    const rows = Array.from({ length: 1200 }, (_, at) => `Lot ${at};Acme's bid;x`)
    const path = file('lots.csv', `Name;Bid;Notes\n${rows.join('\n')}\n`)
    const before = (await world.rival.get('/project')).text
    const { exitCode, stdout, deleted } = await importLots(path)
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      ...{ rows: 1200, written: 1200, stopped: false, bad: [] },
      columns: { Name: 'project_name', Bid: 'bid_id', Notes: null },
    })
    expect((await world.rival.get('/project')).text).toBe(before)
    const told = async () =>
      (await world.acme.get('/event?type=eq.project.created&actor_kind=eq.operator&select=count()')).json
    await until(async () => (await told())[0].count === deleted + 1200)
    const filter = 'project_name=like.Lot*&select=project_name&order=id'
    const csv = await runCli(['export', ...of('project'), '--filter', filter], { DATABASE_URL: world.databaseUrl })
    expect(csv.stdout).toBe(`project_name\n${rows.map((_, at) => `Lot ${at}`).join('\n')}\n`)
    const to = join(folder, `${world.acme.id}.json`)
    expect((await run('export', ...of('project'), '--filter', 'project_name=eq.Lot 7', '--to', to)).exitCode).toBe(0)
    expect(await Bun.file(to).json()).toMatchObject([{ project_name: 'Lot 7', bid_id: world.acme.bid }])
    expect((await run('export', ...of('project'), '--to', to)).exitCode).toBe(1)
  })

  test('write nothing where a row is bad, report it, and write the others on request', async () => {
    const path = file('bad.csv', `bid_name\nGood one\n${'x'.repeat(300)}\nGood two\n`)
    const report = join(folder, `${Bun.randomUUIDv7()}.csv`)
    const names = async () => (await world.acme.get('/bid?bid_name=like.Good*&order=id')).json.length
    const refused = await run('import', ...of('bid'), path, '--report', report)
    expect([refused.exitCode, await names()]).toEqual([1, 0])
    expect(JSON.parse(refused.stdout)).toMatchObject({
      rows: 3,
      written: 0,
      bad: [{ row: 3, problems: [{ code: '23514' }] }],
    })
    const lines = (await Bun.file(report).text()).split('\n')
    expect(lines[0]).toBe('row,what is wrong,bid_name')
    expect(lines[1]).toMatch(/^3,"Name: ""x+… is not allowed\. Name must have 1 to 255 characters/)
    const checked = await run('import', ...of('bid'), path, '--check', '--skip-bad')
    expect([JSON.parse(checked.stdout).written, await names()]).toEqual([0, 0])
    const written = await run('import', ...of('bid'), path, '--skip-bad')
    expect([written.exitCode, JSON.parse(written.stdout).written, await names()]).toEqual([1, 2, 2])
  })

  test('say what is wrong with the file', async () => {
    const errorOf = async (...args: string[]) => JSON.parse((await run(...args)).stderr).error
    expect(await errorOf('import', ...of('project'), file('a.csv', 'Name\nx\n'))).toContain('no column for "bid_id"')
    const latin1 = file('latin1.csv', Buffer.from('Name,Bid\nStra\xDFe,x\n', 'latin1'))
    expect(await errorOf('import', ...of('project'), latin1)).toContain('is no CSV file in UTF-8')
    expect(await errorOf('import', ...of('project'), join(folder, 'none.csv'))).toContain('Cannot read')
    expect(await errorOf('import', ...of('nothing'), file('b.csv', 'x\n'))).toContain('no resource "nothing"')
  })
})

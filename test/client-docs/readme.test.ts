import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endAll, startService } from '../support/service.ts'

setDefaultTimeout(300_000)
afterAll(endAll)

const folder = mkdtempSync(join(tmpdir(), 'project-api-readme-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const text = readFileSync(join(import.meta.dir, '../../README.md'), 'utf8')
const blocks = [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language, code = '']) => ({ language, code }))
/** Each example, with the answer that the next block shows. */
const examples = blocks.flatMap(({ language, code }, at) =>
  language === 'sh' && code !== 'npm start\n' ? [{ code, shown: blocks[at + 1]?.code ?? '' }] : [],
)

test('the examples of the README work when they are pasted after the first start', async () => {
  const service = await startService({ DATABASE_URL: join(folder, 'readme.db') })
  const [variables = ''] = service.banner.split('\n').filter((line) => line.startsWith('export PROJECT_API_URL='))
  expect(examples).toHaveLength(3)
  for (const { code, shown } of examples) {
    const child = Bun.spawn(['bash', '-c', `${variables}\n${code}`], { stdout: 'pipe', stderr: 'ignore' })
    const printed = comparable((await child.stdout.text()).replaceAll('\r', ''))
    expect(await child.exited).toBe(0)
    for (const line of comparable(shown).trim().split('\n')) expect(printed).toContain(line)
  }
  expect(await service.stop()).toBe(0)
})

/** Without what differs each time: ids and times. */
const comparable = (text: string): string =>
  text
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
    .replaceAll(/\d{4}-\d{2}-\d{2}T[\d:.]+\+00:00/g, 'TIME')

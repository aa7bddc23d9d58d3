import { afterAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from '../../src/cli/index.ts'
import { findProgram } from '../support/debian.ts'
import { onEachEngine } from '../support/engines.ts'
import { programs } from '../support/programs.ts'
import type { World } from '../support/world.ts'
import { documentText, type Language, type Snippet, snippets } from './snippets.ts'

setDefaultTimeout(300_000)

const root = join(import.meta.dir, '../..')
const files = snippets.filter(({ file }) => file !== null)
const examples = snippets.filter(({ file }) => file === null)
const nameOf = ({ section, language, line }: Snippet) => `${section}: ${language} in line ${line}`

/** In front of every example, the company has these projects and no others. */
const names = ['Steel deck', 'Stone deck', 'Tunnel', 'Arched deck']
const [firstName = ''] = names
const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}'

/** What every example of a section prints, in whatever language. */
const printed: Readonly<Record<string, RegExp>> = {
  List: inOrder(uuid, ...names),
  'Filter, order, limit': inOrder('^(?![^]*Arched)', 'Stone deck', 'Steel deck'),
  'Page through everything': inOrder(...names),
  Count: /^4\n$/,
  Create: inOrder(uuid, 'Harbour'),
  'Create many': inOrder('North pier', 'South pier'),
  Update: /Rope bridge/,
  Delete: inOrder(firstName),
  'Create or change': /Toll bridge/,
  'Embed the bid': inOrder(firstName, "Acme's bid"),
  'One row': /^(?!\[).*Steel deck/s,
  Errors: inOrder('42703', 'project_nam does not exist', 'project_name'),
  'An empty list that should not be empty': /42501/,
  'Send a write again': new RegExp(`^first \\W*(?:id\\W*)?(${uuid})[^]*^second \\W*(?:id\\W*)?\\1`, 'm'),
  'Lost updates': inOrder('East bridge was saved', 'West bridge came too late'),
  'Export as NDJSON': inOrder(...names),
  CSV: inOrder('^id,project_name\n', uuid, ...names),
  'Create from CSV': inOrder('North pier', 'South pier'),
}

/** What is left in the database behind every example of a section; elsewhere nothing has changed. */
const left: Readonly<Record<string, readonly string[]>> = {
  Create: [...names, 'Harbour'],
  'Create many': [...names, 'North pier', 'South pier'],
  Update: ['Rope bridge', ...names.slice(1)],
  Delete: names.slice(1),
  'Create or change': ['Toll bridge', ...names.slice(1)],
  'Send a write again': [...names, 'Only once'],
  'Lost updates': ['East bridge', ...names.slice(1)],
  'Create from CSV': [...names, 'North pier', 'South pier'],
}

const endings: Readonly<Record<Language, string>> = { ts: 'ts', python: 'py', bash: 'sh' }
const folder = mkdtempSync(join(tmpdir(), 'project-api-docs-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
await fillFolder()

const interpreters: Readonly<Record<Language, string>> = {
  ts: process.execPath,
  python: findProgram(programs.python),
  bash: 'bash',
}

describe('the guide for clients', () => {
  test('says what every section must print', () => {
    expect(Object.keys(printed)).toEqual([...new Set(examples.map(({ section }) => section))])
  })

  test('has examples that compile', async () => {
    const typescript = snippets.filter(({ language }) => language === 'ts')
    for (const snippet of typescript) save(snippet)
    const config = { extends: join(root, 'tsconfig.json'), include: ['*.ts'] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const tsc = Bun.spawnSync([join(root, 'node_modules/.bin/tsc'), '-p', '.', '--pretty', 'false'], { cwd: folder })
    expect([tsc.exitCode, tsc.stdout.toString()]).toEqual([0, ''])
  })
})

onEachEngine('the examples of the guide for clients', (world) => {
  let project = ''
  beforeEach(async () => {
    await world.acme.delete('/project?id=not.is.null')
    const [id = ''] = await world.acme.seed(names)
    project = id
  })

  for (const snippet of examples) {
    test(nameOf(snippet), async () => {
      const ended = await run(snippet, environmentOf(world, project))
      expect({ ...ended, stdout: '' }).toEqual({ exitCode: 0, stdout: '', stderr: '' })
      expect(ended.stdout).toMatch(printed[snippet.section] ?? /^$/)
      const { json } = await world.acme.get('/project')
      expect(json.map((row: { project_name: string }) => row.project_name)).toEqual(left[snippet.section] ?? names)
      expect((await world.rival.get('/project')).json).toHaveLength(1)
    })
  }

  test('tell a wrong secret from an empty list', async () => {
    const silent = examples.filter(
      ({ section, code }) => section.startsWith('An empty list') && !code.includes('createClient'),
    )
    expect(silent).toHaveLength(3)
    for (const snippet of silent) {
      const { stdout } = await run(snippet, environmentOf(world, project))
      expect(stdout).toMatch(/\[\]/)
      expect(stdout).toMatch(/none; reason=secret_missing/)
    }
  })
})

function environmentOf({ base, acme }: World, project: string): Record<string, string> {
  return {
    PROJECT_API_URL: base,
    PROJECT_API_KEY: acme.apiKey,
    PROJECT_API_SECRET: acme.apiSecret,
    BID_ID: acme.bid,
    PROJECT_ID: project,
  }
}

/** The folder that the set-up asks for: its files, the packages, and the types as the service prints them. */
async function fillFolder(): Promise<void> {
  const [, command = ''] = /`npm run -s cli -- (\w+) > database\.types\.ts`/.exec(documentText) ?? []
  let types = ''
  const print = (text: string) => {
    types += text
  }
  await runCommand([command], { env: {}, isTerminal: false, startedAt: 0, print, printError: print })
  writeFileSync(join(folder, 'database.types.ts'), types)
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const snippet of files) save(snippet)
}

function save({ file, language, line, code }: Snippet): string {
  const path = join(folder, file ?? `line-${line}.${endings[language]}`)
  writeFileSync(path, code)
  return path
}

async function run(snippet: Snippet, environment: Record<string, string>) {
  const child = Bun.spawn([interpreters[snippet.language], save(snippet)], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...environment },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [exitCode, stdout, stderr] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()])
  // curl reports on standard error what its exit code stands for; some examples provoke just that.
  return { exitCode, stdout, stderr: stderr.replace(/^curl: \(22\) .*\n/gm, '') }
}

/** These texts, one after the other, with anything between them. */
function inOrder(...patterns: string[]): RegExp {
  return new RegExp(patterns.join('[^]*'))
}

import { describe, expect, test } from 'bun:test'
import { fileURLToPath } from 'node:url'
import { companyTables } from '../src/store/cluster/layout.ts'

/** What each part of src/ may import, in the order in which to read it: every row names only rows above it. */
const layers: Readonly<Record<string, readonly string[]>> = {
  methods: [],
  errors: ['methods'],
  caches: [],
  traffic: ['errors', 'caches'],
  coding: ['errors', 'caches', 'traffic'],
  packaging: [],
  'process-word': [],
  'try-send': [],
  output: [],
  log: ['output'],
  types: ['errors', 'caches'],
  resources: ['errors', 'methods', 'caches', 'types'],
  request: ['errors', 'caches', 'methods', 'traffic', 'coding', 'types', 'resources'],
  plan: ['errors', 'methods', 'caches', 'types', 'resources', 'request'],
  store: [
    'packaging',
    'process-word',
    'try-send',
    'errors',
    'caches',
    'traffic',
    'types',
    'resources',
    'request',
    'plan',
    'migrations',
  ],
  config: ['traffic', 'types', 'store'],
  doctor: ['config', 'store'],
  response: ['errors', 'methods', 'caches', 'coding', 'log', 'types', 'resources', 'request', 'plan', 'store'],
  docs: [
    'errors',
    'methods',
    'caches',
    'coding',
    'packaging',
    'types',
    'resources',
    'request',
    'response',
    'package.json',
  ],
  people: ['errors', 'traffic', 'types', 'store'],
  keys: ['errors', 'caches', 'traffic', 'log', 'types', 'plan', 'store', 'people'],
  fields: ['errors', 'caches', 'traffic', 'types', 'resources', 'request', 'store', 'people', 'keys'],
  events: ['errors', 'caches', 'traffic', 'types', 'resources', 'plan', 'store'],
  webhooks: [
    ...['errors', 'caches', 'traffic', 'types', 'resources', 'request', 'plan', 'store', 'people', 'fields'],
    'package.json',
  ],
  exchange: ['traffic', 'coding', 'keys'],
  'request-log': ['errors', 'methods', 'caches', 'log', 'types', 'store', 'keys', 'exchange'],
  telemetry: ['config', 'traffic', 'store', 'events', 'exchange', 'package.json'],
  rest: [
    'errors',
    'methods',
    'caches',
    'traffic',
    'coding',
    'resources',
    'request',
    'plan',
    'store',
    'response',
    'events',
    'keys',
    'fields',
    'exchange',
  ],
  transfer: ['errors', 'traffic', 'types', 'resources', 'fields', 'request', 'store', 'response', 'exchange', 'rest'],
  mcp: [
    ...['errors', 'methods', 'caches', 'resources', 'request', 'response', 'docs', 'keys', 'log', 'exchange', 'rest'],
    'package.json',
  ],
  settings: [
    ...[
      'errors',
      'methods',
      'config',
      'log',
      'types',
      'resources',
      'request',
      'store',
      'response',
      'events',
      'keys',
      'people',
      'fields',
      'webhooks',
      'exchange',
      'request-log',
      'rest',
      'transfer',
    ],
    ...['traffic', 'package.json'],
  ],
  web: ['settings'],
  site: ['errors', 'methods', 'coding', 'packaging', 'resources', 'docs', 'web'],
  finish: [
    ...['errors', 'methods', 'caches', 'traffic', 'coding', 'docs', 'exchange', 'keys', 'log', 'response', 'telemetry'],
    'request-log',
  ],
  health: ['errors', 'methods', 'response', 'store'],
  app: [
    ...[
      'settings',
      'mcp',
      'errors',
      'methods',
      'docs',
      'resources',
      'store',
      'response',
      'exchange',
      'finish',
      'health',
      'rest',
      'traffic',
      'site',
    ],
  ],
  admin: ['app', 'errors', 'methods', 'health', 'log', 'response', 'store'],
  server: ['config', 'traffic', 'app'],
  cli: [
    ...[
      'errors',
      'coding',
      'config',
      'log',
      'packaging',
      'process-word',
      'try-send',
      'types',
      'resources',
      'request',
      'plan',
      'store',
      'doctor',
      'events',
      'keys',
      'fields',
      'people',
      'request-log',
      'webhooks',
      'rest',
      'transfer',
      'traffic',
      'settings',
      'app',
      'server',
      'telemetry',
      'admin',
    ],
    'package.json',
  ],
  main: ['cli', 'process-word', 'store'],
}

const ofCompanies = `"?(?:${companyTables.join('|')})\\b(?!\\.)`
/** `from bid`, or `from person p, member`: a table in SQL that is written out. */
const writtenTable = new RegExp(
  `\\b(?:from|join|update|into|only|using|table)\\s+${ofCompanies}|\\bfrom\\s+\\w+(?:\\s+(?:as\\s+)?\\w+)?\\s*,\\s*${ofCompanies}`,
  'i',
)

/** Things that some places alone may know. */
const kept = [
  { what: 'bun:sqlite', pattern: /from 'bun:sqlite'/, place: /^store\/sqlite\/[a-z-]+\.ts$/ },
  { what: 'SQL of Bun', pattern: /from 'bun'|\bBun\.(?:sql|SQL)\b/, place: /^store\/postgres\/[a-z-]+\.ts$/ },
  { what: 'Bun.serve', pattern: /\bBun\.serve\b/, place: /^server\.ts$/ },
  { what: 'prom-client', pattern: /from 'prom-client'/, place: /^telemetry\/(?:\w+-)?metrics\.ts$/ },
  { what: 'OpenTelemetry', pattern: /from '@opentelemetry\//, place: /^telemetry\/(?:traces|otlp-exporter)\.ts$/ },
  { what: 'the SDK of MCP', pattern: /from '@modelcontextprotocol\//, place: /^mcp\/protocol\.ts$/ },
  // Figures bear the name of the engine.
  {
    what: 'the name of an engine',
    pattern: /'(?:sqlite|postgres)'|\bdialect\.name\b/,
    place: /^(?:types\/.*|store\/.*|telemetry\/metrics\.ts)$/,
  },
  // Its functions name the company together with the table.
  { what: 'SQL with a table of companies', pattern: writtenTable, place: /^store\/compile\/company-rows\.ts$/ },
  // To find out who asks, to look at what is a person's, to record and to sweep, to copy, and for the operator.
  {
    what: 'the rows of all companies',
    pattern: /\b(?:tableOfAllCompanies|askAll|inquire)\b/,
    place:
      /^(?:store\/(?:database|share|ask-all|companies-with|compile\/company-rows|events\/read-events|postgres\/number-together|copy\/copy-rows|sqlite\/sqlite-file|cluster\/(?:cluster-status|spread|shard-statement))|events\/(?:numberer|event-feed)|keys\/(?:known|strays|write-usage|credentials)|fields\/(?:settle-fields|delete-fields)|webhooks\/(?:endpoints|dispatch\/(?:dispatcher|due|behind|backlog))|people\/(?:sessions|companies|invitations|known-people|delete-person|oidc))\.ts$/,
  },
  {
    what: 'the environment',
    // A process that is started may be given all of it: that is no look into it.
    pattern: /(?<!env: \{ \.\.\.)\bprocess\.env\b/,
    place:
      /^(?:main\.ts|docs\/page\/samples\.ts|web\/(?:parts\/snippets|fields\/field-calls|webhooks\/verify-snippets)\.tsx)$/,
  },
]

const root = fileURLToPath(new URL('..', import.meta.url))
const sources = await Promise.all(
  [...new Bun.Glob('**/*.{ts,tsx}').scanSync(`${root}src`)]
    .filter((path) => !path.endsWith('.d.ts'))
    .sort()
    .map(async (path) => ({ path, text: await Bun.file(`${root}src/${path}`).text() })),
)

test.each(['from bid', 'join "member" as m', 'update credential set', 'from person p, project'])(
  'a table of companies is found in %s',
  (text) => expect(writtenTable.test(text)).toBe(true),
)

describe('layers', () => {
  test('are in order: no row of the table names one below it', () => {
    const names = Object.keys(layers)
    const upwards = names.flatMap((part, at) =>
      (layers[part] ?? []).filter((other) => names.indexOf(other) >= at).map((other) => `${part} → ${other}`),
    )
    expect(upwards).toEqual([])
  })

  test('are in docs/architecture.md as they are here', async () => {
    const page = await Bun.file(`${root}docs/architecture.md`).text()
    const [, table = ''] = /\n## Layers\n([\s\S]*?)\n## /.exec(page) ?? []
    const rows = [...table.matchAll(/^\| `([\w-]+)` \| (.*?) \|/gm)].map(([, part, others = '']) => [
      part,
      others === '–' ? [] : others.split(', '),
    ])
    expect(rows).toEqual(Object.entries(layers).map(([part, others]) => [part, [...others]]))
  })

  test('are known for every file', () => {
    expect(sources.map(({ path }) => partOf(path)).filter((part) => !Object.hasOwn(layers, part))).toEqual([])
  })

  test('import nothing that the table does not allow', () => {
    const forbidden = sources.flatMap(({ path, text }) =>
      importedParts(path, text)
        .filter((part) => part !== partOf(path) && !layers[partOf(path)]?.includes(part))
        .map((part) => `${path} imports ${part}`),
    )
    expect(forbidden).toEqual([])
  })

  test('let the page in the browser have nothing of the server but types', () => {
    const values = sources
      .filter(({ path }) => partOf(path) === 'web')
      .flatMap(({ path, text }) => importedFiles(path, text.replaceAll(/^(?:import|export) type .*$/gm, '')))
    expect(values.filter((path) => partOf(path) !== 'web')).toEqual([])
  })

  test('have no circles: no file imports one that leads back to it', () => {
    const imports = new Map(sources.map(({ path, text }) => [path, importedFiles(path, text)]))
    const leadsTo = (path: string, goal: string, seen = new Set<string>()): boolean =>
      (imports.get(path) ?? []).some((next) => {
        if (next === goal) return true
        if (seen.has(next)) return false
        seen.add(next)
        return leadsTo(next, goal, seen)
      })
    expect([...imports.keys()].filter((path) => leadsTo(path, path))).toEqual([])
  })

  for (const { what, pattern, place } of kept) {
    test(`keep ${what} in one place`, () => {
      const elsewhere = sources.filter(({ path, text }) => pattern.test(text) && !place.test(path))
      expect(elsewhere.map(({ path }) => path)).toEqual([])
    })
  }
})

/** `store/sqlite/sqlite.ts` → store, `rest.ts` → rest */
function partOf(path: string): string {
  return path.split('/', 1)[0]?.replace(/\.tsx?$/, '') ?? ''
}

/** The parts that a file's relative imports lead to. What lies outside of src/ goes by its first name there. */
function importedParts(path: string, text: string): string[] {
  const loaded = [...text.matchAll(/\bimport\('(\.[^']*)'\)/g)].map(([, specifier = '']) => resolved(path, specifier))
  return [...importedFiles(path, text), ...loaded].map(partOf)
}

/** The files that a file imports when it is loaded, types included. */
function importedFiles(path: string, text: string): string[] {
  const specifiers = text.matchAll(/^\s*(?:import|export)\b[^'"]*?from '(\.[^']*)'/gm)
  return [...specifiers].map(([, specifier = '']) => resolved(path, specifier))
}

const resolved = (path: string, specifier: string): string =>
  new URL(specifier, `file:///src/${path}`).pathname.replace(/^\/(?:src\/)?/, '')

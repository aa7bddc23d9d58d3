import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dir, '../..')
const here = (name: string): string => join(import.meta.dir, name)

/** The lines that a maintainer would add, by file. Each stands behind a text that the file has once. */
const added: Readonly<Record<string, readonly (readonly [behind: string, text: string])[]>> = {
  'src/resources/index.ts': [
    ["import { project } from './project.ts'\n", `import { entry, task } from '${here('task.ts')}'\n`],
    ['export { bid, event, field, project', ', task, entry'],
    ['readonly Resource[] = [field, bid, project', ', task, entry'],
  ],
  'src/store/cluster/layout.ts': [["  'project',\n", "  'task',\n  'entry',\n"]],
  'migrations/index.ts': [
    [
      "import sqliteLiveCredentials from './sqlite/0007-live-credentials.sql' with { type: 'text' }\n",
      `import sqliteTask from '${here('task.sqlite.sql')}' with { type: 'text' }
import postgresTask from '${here('task.postgres.sql')}' with { type: 'text' }\n`,
    ],
    [
      'postgres: postgresLiveCredentials },\n',
      "  { number: 1000, name: 'task', sqlite: sqliteTask, postgres: postgresTask },\n",
    ],
  ],
}

Bun.plugin({
  name: 'a resource more',
  setup: (build) => {
    for (const [file, lines] of Object.entries(added)) {
      const path = join(root, file)
      build.onLoad({ filter: new RegExp(`^${RegExp.escape(path)}$`) }, () => ({
        contents: lines.reduce(withLine, readFileSync(path, 'utf8')),
        loader: 'ts',
      }))
    }
  },
})

function withLine(text: string, [behind, line]: readonly [string, string]): string {
  const [before, after, ...more] = text.split(behind)
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`Not there exactly once: ${behind}`)
  return before + behind + line + after
}

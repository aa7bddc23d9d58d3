import { expect, test } from 'bun:test'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Some text taken out of each: what CONTRIBUTING.md says that the compiler asks for. */
const removed: Readonly<Record<string, string>> = {
  'src/store/sqlite/sqlite-dialect.ts': "  like: infix('glob'),\n",
  'src/store/postgres/postgres-compare.ts': "  neq: infix('<>'),\n",
  'src/types/operators.ts': "meaning: 'equals', work: plain",
  'src/plan/evaluate.ts': '  neq: (operand) => (value) => value !== operand,\n',
  'src/types/uuid.ts': '  toJson: inQuotes,\n',
  'src/types/integer.ts': '  toCsv: plainCsv,\n',
  'src/types/timestamp.ts': "    toText: '$',\n",
  'src/types/text-list.ts': '    fromOperand: fromJson,\n',
  'src/errors/credentials.ts': '500',
  'src/request/preferences.ts': '    methods: changes,\n',
  'src/store/sqlite/sqlite-kind.ts': '  hasDemo: true,\n',
  'src/store/postgres/postgres-kind.ts': '  backup: howToDump,\n',
}

/** What would let one company see the rows of another, in place of what does not. */
const opened: Readonly<Record<string, readonly [text: string, instead: string]>> = {
  // A table without its company.
  'src/people/audit-log.ts': ["companyRows('audit_event', db)", "companyRows('audit_event')"],
  'src/store/compile/compile-write.ts': ['table: identifier(frame.alias)', 'table: identifier(plan.resource.name)'],
  'src/store/compile/compile-condition.ts': ['identifier(frame.alias, column.name)', "identifier('bid', column.name)"],
  // A table that no company has.
  'src/people/members.ts': ["joinedCompanyRows('member', company", "joinedCompanyRows('person', company"],
  // A store that takes no turns, and that lets any statement through.
  'src/settings/overview.ts': ['countActive(reports)', 'countActive(context.db)'],
  'src/keys/rotate.ts': ['lockedState(own, ref.id)', 'lockedState(db, ref.id)'],
}

type Change = readonly [file: string, text: string, instead: string]

const changes: readonly Change[] = [
  ...Object.entries(removed).map(([file, line]): Change => [file, line, '']),
  ...Object.entries(opened).map(([file, [text, instead]]): Change => [file, text, instead]),
]

// All of them at once, because the compiler takes seconds. That there are no errors without them is a check of its own.
test('the compiler notices what is left out, and what reaches beyond one company, in each file and in no other', async () => {
  const copy = mkdtempSync(join(tmpdir(), 'project-api-'))
  try {
    for (const name of ['src', 'migrations', 'package.json', 'tsconfig.json'])
      cpSync(join(root, name), join(copy, name), { recursive: true })
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
    for (const [file, text, instead] of changes) {
      const source = readFileSync(join(copy, file), 'utf8')
      expect(source.split(text)).toHaveLength(2)
      writeFileSync(
        join(copy, file),
        source.replace(text, () => instead),
      )
    }
    expect(await filesWithErrors(copy)).toEqual(changes.map(([file]) => file).sort())
  } finally {
    rmSync(copy, { recursive: true })
  }
})

/** As tsc names them: `src/types/uuid.ts(6,14): error TS2741: …` */
async function filesWithErrors(folder: string): Promise<string[]> {
  const child = Bun.spawn([join(root, 'node_modules/.bin/tsc'), '--noEmit', '--pretty', 'false', '-p', folder], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const printed = await child.stdout.text()
  await child.exited
  const errors = [...printed.matchAll(/^(\S+?)\(\d+,\d+\): error /gm)]
  return [...new Set(errors.map(([, file = '']) => file))].sort()
}

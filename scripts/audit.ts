import { allowed } from './audit-allowed.ts'

/** The output of `npm audit --json`. `via` holds advisories, or names of dependencies that have them. */
interface Report {
  readonly message?: string
  readonly vulnerabilities?: Readonly<Record<string, { readonly via: readonly (string | Advisory)[] }>>
}

interface Advisory {
  readonly name: string
  readonly title: string
  readonly url: string
  readonly severity: string
}

/** Whether a release is possible, and the lines to print. */
interface Verdict {
  readonly isGood: boolean
  readonly lines: readonly string[]
}

const timeoutMs = 10_000

if (import.meta.main) {
  const { isGood, lines } = judge(parse(await runAudit()), allowed)
  for (const line of lines) console.log(line)
  process.exitCode = isGood ? 0 : 1
}

/** An advisory that is not accepted blocks a release, and so does an accepted one that is no longer found. */
export function judge(report: Report | null, reasons: Readonly<Record<string, string>>): Verdict {
  if (!report?.vulnerabilities) {
    const why = report?.message ?? `npm gave no report within ${timeoutMs / 1000} s`
    return { isGood: true, lines: [`NOT AUDITED: the registry could not be asked about known weaknesses (${why}).`] }
  }
  const found = new Map(advisoriesOf(report.vulnerabilities).map((advisory) => [idOf(advisory), advisory]))
  const open = [...found].filter(([id]) => !Object.hasOwn(reasons, id))
  const needless = Object.keys(reasons).filter((id) => !found.has(id))
  return {
    isGood: open.length === 0 && needless.length === 0,
    lines: [
      ...open.map(([id, { name, severity, title, url }]) => `${id} (${severity}) in ${name}: ${title}. ${url}`),
      ...needless.map((id) => `${id} is allowed in scripts/audit-allowed.ts, but is no longer found. Remove it.`),
      `${found.size} known weaknesses in what is installed with the service, ${found.size - open.length} of them allowed.`,
    ],
  }
}

const advisoriesOf = (vulnerabilities: NonNullable<Report['vulnerabilities']>): Advisory[] =>
  Object.values(vulnerabilities).flatMap(({ via }) => via.filter((one) => typeof one !== 'string'))

/** `https://github.com/advisories/GHSA-xxxx-xxxx-xxxx` → its last part */
const idOf = ({ url }: Advisory): string => url.split('/').at(-1) ?? url

async function runAudit(): Promise<string> {
  const child = Bun.spawn(['npm', 'audit', '--omit=dev', '--json'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: timeoutMs,
  })
  return new Response(child.stdout).text()
}

function parse(text: string): Report | null {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

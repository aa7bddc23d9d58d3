import { allowed } from './audit-allowed.ts'

/** What `npm audit --json` says of one package. `via` holds advisories, and names of packages that bring them along. */
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

/** What has to be said, and whether it stands against a release. */
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

/** Every advisory that nobody has allowed stands against a release, and so does an allowance that nothing needs any more. */
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

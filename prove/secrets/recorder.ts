import { type Environment, runCli } from '../../test/support/service.ts'

/** Something that only its owner may know, and where it came from. */
export interface Secret {
  readonly kind: string
  readonly text: string
}

/** All that was answered, by the service and by its command line, and every secret that an answer gave away on purpose. */
export class Recorder {
  readonly secrets: Secret[] = []
  readonly said: { readonly by: string; readonly text: string; readonly givesAway: Set<string> }[] = []

  constructor(private readonly env: Environment) {}

  keep(kind: string, text: string | undefined): string {
    if (!text) throw new Error(`There is no ${kind}`)
    this.secrets.push({ kind, text })
    return text
  }

  /** The secret that the last answer was asked for. */
  issue(kind: string, text: string | undefined): string {
    this.said.at(-1)?.givesAway.add(this.keep(kind, text))
    return text ?? ''
  }

  async ask(url: string, init: RequestInit = {}): Promise<{ status: number; text: string; headers: Headers }> {
    const response = await fetch(url, { redirect: 'manual', ...init })
    const text = await response.text()
    const head = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n')
    this.said.push({ by: `${init.method ?? 'GET'} ${url}`, text: `${head}\n${text}`, givesAway: new Set() })
    if (response.status >= 500) throw new Error(`${init.method ?? 'GET'} ${url}: ${response.status} ${text}`)
    return { status: response.status, text, headers: response.headers }
  }

  /** Runs a command, and gives the document that it prints. */
  async run(...args: string[]): Promise<Record<string, string>> {
    const { stdout, stderr } = await runCli([...args, '--json'], this.env)
    this.said.push({ by: args.slice(0, 2).join(' '), text: stdout + stderr, givesAway: new Set() })
    if (stderr) throw new Error(`${args.join(' ')}: ${stderr}`)
    return JSON.parse(stdout)
  }
}

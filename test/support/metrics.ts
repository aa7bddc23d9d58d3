import type { Service } from './service.ts'

/** One line of a page of metrics. */
export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** Where a service that was given an `ADMIN_PORT` says that its metrics are. */
export const adminOf = ({ banner }: Service): string => /Metrics +(\S+)\/metrics\n/.exec(banner)?.[1] ?? ''

export async function scrape(service: Service): Promise<readonly Sample[]> {
  const text = await (await fetch(`${adminOf(service)}/metrics`)).text()
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(parseSample)
}

/** The sum of all samples of this name that have these labels. */
export function total(samples: readonly Sample[], name: string, labels: Sample['labels'] = {}): number {
  const wanted = Object.entries(labels)
  const matching = samples.filter(
    (one) => one.name === name && wanted.every(([key, value]) => one.labels[key] === value),
  )
  return matching.reduce((sum, { value }) => sum + value, 0)
}

/** `a_total{b="c"} 1` → its parts. What is no such line fails the test. */
function parseSample(line: string): Sample {
  const [, name = '', labels = '', value = ''] = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
  if (name === '' || !Number.isFinite(Number(value))) throw new Error(`This is no sample: ${line}`)
  const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = '', text = '']) => [key, text])
  return { name, labels: Object.fromEntries(pairs), value: Number(value) }
}

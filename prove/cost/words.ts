import type { EngineName } from '../proof.ts'

/** What differs between the engines where rows are made by the thousand. */
interface Words {
  id(number: string): string
  value(text: string, type: 'uuid' | 'timestamptz' | 'json'): string
  hour(number: string): string
  /** A list of one text. */
  list(text: string): string
  readonly afterwards: readonly string[]
}

export const words: Readonly<Record<EngineName, Words>> = {
  sqlite: {
    id: (number) => `printf('00000000-0000-4000-8000-%012d', ${number})`,
    value: (text) => `'${text}'`,
    hour: (number) => `strftime('%Y-%m-%dT%H:00:00', 'now', '-' || (${number}) || ' hours') || '+00:00'`,
    list: (text) => `'["${text}"]'`,
    afterwards: ['pragma wal_checkpoint(truncate)'],
  },
  postgres: {
    id: (number) => `('00000000-0000-4000-8000-' || lpad((${number})::text, 12, '0'))::uuid`,
    value: (text, type) => `'${text}'::${type}`,
    hour: (number) => `date_trunc('hour', now() - (${number}) * interval '1 hour')`,
    list: (text) => `array['${text}']`,
    afterwards: ['vacuum (analyze) project', 'vacuum (analyze) bid'],
  },
}

/** When all that was not made by a request was made. */
export const madeAt = '2026-01-01T00:00:00+00:00'

/** From 0 on. */
export const numbers = (count: number): string =>
  `with recursive own(n) as (select 0 union all select n + 1 from own where n < ${count - 1})`

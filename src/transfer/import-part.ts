import type { BadRow, ImportedRow, ImportPart } from './part.ts'
import { askRows, type TransferPlace } from './place.ts'
import { problemOf, type ReadRow, readRows, refusalOf, takenKeys } from './read-rows.ts'

/** Finds every row that could not be written, and writes nothing. */
export async function checkPart(place: TransferPlace, part: ImportPart): Promise<BadRow[]> {
  const { good, bad } = await readRows(place, part, await takenKeys(place, part))
  return [...bad, ...(await findRefused(place, part, good))].toSorted((a, b) => a.row - b.row)
}

/** Writes all rows, or none: then it says which ones are to blame. With the same key, a part is written once, however often it is sent. */
export async function writePart(
  place: TransferPlace,
  part: ImportPart,
  key: string | null,
): Promise<readonly BadRow[]> {
  // Which keys are taken is not asked: a part that is sent again finds its own.
  const { good, bad } = await readRows(place, part)
  if (bad.length > 0 || good.length === 0) return bad
  try {
    await insert(place, part, good, key === null ? {} : { 'Idempotency-Key': key })
    return []
  } catch (error) {
    const refusal = refusalOf(error)
    const found = await checkPart(place, part)
    if (found.length === 0) throw refusal
    return found
  }
}

/** Tries the rows together; where that fails, each half by itself, and so on. */
async function findRefused(place: TransferPlace, part: ImportPart, rows: readonly ReadRow[]): Promise<BadRow[]> {
  const [first] = rows
  if (first === undefined) return []
  try {
    await insert(place, part, rows, trial)
    return []
  } catch (error) {
    const refusal = refusalOf(error)
    const last = rows.at(-1) ?? first
    if (rows.length === 1) return [badRow(first.source, refusal)]
    const half = Math.ceil(rows.length / 2)
    const found = [
      ...(await findRefused(place, part, rows.slice(0, half))),
      ...(await findRefused(place, part, rows.slice(half))),
    ]
    // Two rows that exclude each other may stand in different halves.
    return found.length > 0 ? found : [badRow(last.source, refusal)]
  }
}

const trial = { Prefer: 'tx=rollback' } as const

async function insert(
  place: TransferPlace,
  { resource, columns }: ImportPart,
  rows: readonly ReadRow[],
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const names = columns.filter((name) => name !== null)
  await askRows(place, {
    method: 'POST',
    resource: resource.name,
    query: `columns=${names.map(encodeURIComponent).join(',')}`,
    headers: {
      ...headers,
      'Content-Type': 'application/json',
      Prefer: ['return=minimal', 'missing=default', headers.Prefer].filter(Boolean).join(', '),
    },
    body: JSON.stringify(rows.map(({ json }) => json)),
  })
}

const badRow = (source: ImportedRow, refusal: Parameters<typeof problemOf>[0]): BadRow => ({
  ...source,
  problems: [problemOf(refusal)],
})

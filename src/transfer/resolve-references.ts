import { failure } from '../errors/index.ts'
import type { Column, Resource } from '../resources/define.ts'
import { findResource } from '../resources/index.ts'
import { namingColumnOf } from '../resources/labels.ts'
import { isUuid } from '../types/uuid.ts'
import { askRows, type TransferPlace } from './place.ts'

/** Finds the key of a row by its key or its name. */
export type Resolve = (text: string) => string

const askedAtOnce = 100

/** A file may spell an id in capitals. */
const isId = (text: string): boolean => isUuid(text.toLowerCase())

/** People know a bid by its name, and most files have no ids: both are looked up, some at a time. */
export async function resolveReferences(
  place: TransferPlace,
  column: Column,
  texts: Iterable<string>,
): Promise<Resolve> {
  const target = findResource(column.references ?? '')
  const naming = namingColumnOf(target)
  const [ids, names] = [new Set<string>(), new Set<string>()]
  for (const text of texts) (isId(text) ? ids : names).add(isId(text) ? text.toLowerCase() : text)
  const counts =
    naming === target.primaryKey
      ? new Map()
      : await countEach(place, { resource: target, column: naming, values: [...names] })
  const single = [...names].filter((name) => counts.get(name) === 1)
  const found = [
    ...(await readEach(place, { resource: target, column: target.primaryKey, values: [...ids] })),
    ...(await readEach(place, { resource: target, column: naming, values: single })),
  ]
  const keys = new Map(found.map(({ value, key }) => [value, key]))
  return (text) => {
    const { one } = target.labels
    const key = keys.get(isId(text) ? text.toLowerCase() : text)
    if (key !== undefined) return key
    if (isId(text)) throw failure.idUnknown(one)
    throw (counts.get(text) ?? 0) > 1 ? failure.nameAmbiguous(one, text) : failure.nameUnknown(one, text)
  }
}

/** Those of some keys that rows have already. */
export async function findTaken(
  place: TransferPlace,
  resource: Resource,
  texts: Iterable<string>,
): Promise<Set<string>> {
  const ids = new Set([...texts].filter((text) => isId(text)).map((text) => text.toLowerCase()))
  const found = await readEach(place, { resource, column: resource.primaryKey, values: [...ids] })
  return new Set(found.map(({ key }) => key))
}

/** The rows that have one of some values in a column. */
interface Wanted {
  readonly resource: Resource
  readonly column: Column
  readonly values: readonly string[]
}

interface Named {
  readonly value: string
  readonly key: string
}

const readEach = (place: TransferPlace, wanted: Wanted): Promise<Named[]> =>
  askEach(place, wanted, `key:${wanted.resource.primaryKey.name},value:${wanted.column.name}`)

interface Counted {
  readonly value: string
  readonly rows: number
}

/** How many rows have each value: thousands may have the same one. */
async function countEach(place: TransferPlace, wanted: Wanted): Promise<ReadonlyMap<string, number>> {
  const found = await askEach<Counted>(place, wanted, `value:${wanted.column.name},rows:count()`)
  return new Map(found.map(({ value, rows }) => [value, rows]))
}

async function askEach<Row>(
  place: TransferPlace,
  { resource, column, values }: Wanted,
  select: string,
): Promise<Row[]> {
  const found: Row[] = []
  for (let at = 0; at < values.length; at += askedAtOnce) {
    const list = values.slice(at, at + askedAtOnce).map((value) => `"${value.replace(/[\\"]/g, '\\$&')}"`)
    const query = `select=${select}&${column.name}=in.(${encodeURIComponent(list.join(','))})`
    const { body } = await askRows(place, { method: 'GET', resource: resource.name, query, headers: {} })
    found.push(...(JSON.parse(await textOf(body)) as Row[]))
  }
  return found
}

async function textOf(body: string | AsyncIterable<string> | null): Promise<string> {
  if (body === null || typeof body === 'string') return body ?? '[]'
  let text = ''
  for await (const part of body) text += part
  return text
}

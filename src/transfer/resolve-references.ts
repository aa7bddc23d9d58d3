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
  const found = [
    ...(await readEach(place, target, target.primaryKey, [...ids])),
    ...(naming === target.primaryKey ? [] : await readEach(place, target, naming, [...names])),
  ]
  const known = Map.groupBy(found, ({ value }) => value)
  return (text) => {
    const { one } = target.labels
    const [first, another] = known.get(isId(text) ? text.toLowerCase() : text) ?? []
    if (first === undefined) throw isId(text) ? failure.idUnknown(one) : failure.nameUnknown(one, text)
    if (another !== undefined) throw failure.nameAmbiguous(one, text)
    return first.key
  }
}

/** Those of some keys that rows have already. */
export async function findTaken(
  place: TransferPlace,
  resource: Resource,
  texts: Iterable<string>,
): Promise<Set<string>> {
  const ids = new Set([...texts].filter((text) => isId(text)).map((text) => text.toLowerCase()))
  const found = await readEach(place, resource, resource.primaryKey, [...ids])
  return new Set(found.map(({ key }) => key))
}

interface Named {
  readonly value: string
  readonly key: string
}

async function readEach(
  place: TransferPlace,
  { name, primaryKey }: Resource,
  column: Column,
  values: readonly string[],
): Promise<Named[]> {
  const found: Named[] = []
  for (let at = 0; at < values.length; at += askedAtOnce) {
    const list = values.slice(at, at + askedAtOnce).map((value) => `"${value.replace(/[\\"]/g, '\\$&')}"`)
    const query = `select=key:${primaryKey.name},value:${column.name}&${column.name}=in.(${encodeURIComponent(list.join(','))})`
    const { body } = await askRows(place, { method: 'GET', resource: name, query, headers: {} })
    found.push(...(JSON.parse(await textOf(body)) as Named[]))
  }
  return found
}

async function textOf(body: string | AsyncIterable<string> | null): Promise<string> {
  if (body === null || typeof body === 'string') return body ?? '[]'
  let text = ''
  for await (const part of body) text += part
  return text
}

import { memoize } from '../caches/memoize.ts'
import { type Column, columnsOf, type Resource, typeOf } from '../resources/define.ts'

/** The values of a row in the order of its columns, each as its canonical text. */
export type RowValues = readonly (string | null)[]

/** `{"id":"…","bid_name":"…"}`: the whole row. Its event and its answer share the text. */
export const rowText = memoize((row: RowValues, resource: Resource): string => {
  const builtIn = objectText(row, builtInMembers(resource))
  if (fieldMembers(resource).length === 0) return builtIn
  return `${builtIn.slice(0, -1)},${fieldsText(row, resource).slice(1)}`
})

/** `{"status":"won","value":12}`: a company's own fields of a row, as they are stored. */
export const fieldsText = memoize((row: RowValues, resource: Resource): string =>
  objectText(row, fieldMembers(resource)),
)

/** Some columns of a row, in the order of all. */
export const partText = (row: RowValues, resource: Resource, columns: readonly Column[]): string =>
  objectText(
    row,
    columnsOf(resource)
      .filter((column) => columns.includes(column))
      .map((column) => memberOf(resource, column)),
  )

const builtInMembers = memoize((resource: Resource): readonly Member[] =>
  columnsOf(resource)
    .filter(({ field }) => !field)
    .map((column) => memberOf(resource, column)),
)

const fieldMembers = memoize((resource: Resource): readonly Member[] =>
  (resource.own?.columns ?? []).map((column) => memberOf(resource, column)),
)

/** A member of a JSON object, and where a row has its value. */
interface Member {
  readonly at: number
  readonly start: string
  readonly toJson: (value: string) => string
}

export const memberOf = (resource: Resource, column: Column, key: string = column.name): Member => ({
  at: columnsOf(resource).indexOf(column),
  start: `,${JSON.stringify(key)}:`,
  toJson: typeOf(column).toJson,
})

export function objectText(row: RowValues, members: readonly Member[]): string {
  let text = ''
  for (const { at, start, toJson } of members) {
    const value = row[at] ?? null
    text += start + (value === null ? 'null' : toJson(value))
  }
  return `{${text.slice(1)}}`
}

import type { ReactNode } from 'react'
import type { Column } from '../api-types.ts'
import { containing, quoted } from '../rows/query.ts'
import {
  choiceKind,
  choicesKind,
  dayKind,
  dayStart,
  type Filter,
  type FilterKind,
  idKind,
  numberKind,
  orEmpty,
  splitValues,
  takesValue,
  textKind,
  wholeNumberKind,
} from '../table/filter.ts'
import { Day, Digits, Id, Json, MailTo, Moment, NoValue, Plain, Texts, WebLink } from './cells.tsx'
import { Choices, chosenOf } from './choice.tsx'
import { ChoiceField, ChoicesField } from './choice-fields.tsx'
import type { ColumnView, Entered } from './column-view.ts'
import { LineField, ListField, TextField, YesOrNoField } from './fields.tsx'
import { ReferenceCell, ReferenceField } from './reference.tsx'

export const viewOf = ({ type, references }: Column): ColumnView =>
  references === null ? (views[type] ?? plain) : reference

/** What can be asked of a column, also whether it has a value where it may have none. */
export function filterOf(column: Column): FilterKind | undefined {
  const { filter } = viewOf(column)
  if (filter === null) return undefined
  const kind = {
    ...filter,
    ...(column.references === null ? {} : { references: column.references }),
    ...(column.choices === null ? {} : { choices: column.choices.map(({ value, label }) => ({ value, label })) }),
  }
  return column.nullable ? orEmpty(kind) : kind
}

/** What is no text is shown as JSON. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const textsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(textOf) : [textOf(value)])

/** A cell for values that may be missing. */
const cell =
  (show: (value: unknown, column: Column, isLine: boolean) => ReactNode): ColumnView['Cell'] =>
  ({ column, row, isLine = false }) => {
    const value = row[column.name] ?? null
    return value === null ? <NoValue /> : show(value, column, isLine)
  }

const plainCondition = ({ operator, value }: Filter): string => {
  if (operator === 'empty') return 'is.null'
  if (operator === 'filled') return 'not.is.null'
  // Rows without a value are not that one either.
  if (operator === 'not') return `isdistinct.${value}`
  if (operator === 'in') return `in.(${splitValues(value).map(quoted).join(',')})`
  return operator === 'has' ? containing(value) : `${operator}.${value}`
}

/** `cs.{"roof"}` */
const listCondition = (filter: Filter): string =>
  filter.operator === 'has' ? `cs.{${quoted(filter.value)}}` : plainCondition(filter)

/** For a type that the page does not know: its values are texts. */
const plain: ColumnView = {
  firstOrder: null,
  isSearched: false,
  isWide: true,
  isExtra: false,
  isId: false,
  filter: null,
  condition: plainCondition,
  Cell: cell((value) => <Plain text={textOf(value)} />),
  Field: LineField,
  empty: null,
  toEntered: textOf,
  toValue: (entered) => String(entered).trim(),
}

const reference: ColumnView = {
  ...plain,
  filter: { input: 'reference', operators: ['eq'] },
  Cell: ReferenceCell,
  Field: ReferenceField,
}

/** A number that JavaScript cannot hold is sent as the text that was typed. */
const numberOf = (text: string): unknown => (String(Number(text)) === text ? Number(text) : text)

/** What separates thousands, as the table writes them, is left out. */
const plainDigits = (entered: Entered): string => {
  const typed = String(entered).trim()
  return numberKind.check.parse(typed) ?? typed
}

const number: ColumnView = {
  ...plain,
  firstOrder: 'asc',
  isWide: false,
  filter: numberKind,
  Cell: cell((value) => <Digits text={textOf(value)} />),
  Field: (props) => <LineField {...props} look={{ inputMode: 'decimal' }} check={numberKind.check} />,
  toValue: (entered) => numberOf(plainDigits(entered)),
}

/** Browsers have no field for `infinity`, which a column of dates or times may hold. */
const isDay = (entered: unknown): boolean => entered === '' || /^\d{4}-\d\d-\d\d$/.test(String(entered))
const isLocalTime = (entered: unknown): boolean => entered === '' || /^\d{4}-\d\d-\d\dT/.test(String(entered))

/** `2026-02-01T09:00:00+00:00` → `2026-02-01T10:00`, where the reader is an hour ahead. */
function localTimeOf(text: string): string {
  const time = new Date(text)
  if (Number.isNaN(time.getTime())) return text
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString()
  return local.slice(0, 19).replace(/:00$/, '')
}

/** How fine the field is: to the minute, unless the time has seconds. */
const secondsOf = (entered: unknown): number => (String(entered).length > 'yyyy-mm-ddThh:mm'.length ? 1 : 60)

/** `2026-01-31` → the moment at which that day begins where the reader is; what is no day stays as it is. */
function timeOfDay(day: string): string {
  const time = dayStart(day)
  return Number.isNaN(time) ? day : new Date(time).toISOString()
}

/** By the name that the definitions of the service have for a type. */
const views: Readonly<Record<string, ColumnView>> = {
  uuid: {
    ...plain,
    isWide: false,
    isId: true,
    filter: idKind,
    Cell: cell((value) => <Id id={textOf(value)} />),
  },
  text: { ...plain, firstOrder: 'asc', isSearched: true, filter: textKind, Field: TextField },
  timestamp: {
    ...plain,
    firstOrder: 'desc',
    isWide: false,
    filter: dayKind,
    condition: (filter) =>
      plainCondition(takesValue(filter.operator) ? { ...filter, value: timeOfDay(filter.value) } : filter),
    Cell: cell((value, { writable }) => <Moment at={textOf(value)} isEntered={writable} />),
    Field: (props) => (
      <LineField
        {...props}
        look={isLocalTime(props.entered) ? { type: 'datetime-local', step: secondsOf(props.entered) } : {}}
      />
    ),
    toEntered: (value) => localTimeOf(textOf(value)),
    toValue: (entered) => (isLocalTime(entered) ? new Date(String(entered)).toISOString() : entered),
  },
  date: {
    ...plain,
    firstOrder: 'asc',
    isWide: false,
    filter: dayKind,
    Cell: cell((value) => <Day day={textOf(value)} />),
    Field: (props) => <LineField {...props} look={isDay(props.entered) ? { type: 'date' } : {}} />,
  },
  integer: {
    ...number,
    filter: wholeNumberKind,
    Field: (props) => <LineField {...props} look={{ inputMode: 'numeric' }} check={wholeNumberKind.check} />,
  },
  decimal: number,
  number,
  boolean: {
    ...plain,
    firstOrder: 'asc',
    isWide: false,
    filter: choiceKind([
      { value: 'true', label: 'Yes' },
      { value: 'false', label: 'No' },
    ]),
    Cell: cell((value) => (value === true ? 'Yes' : 'No')),
    Field: YesOrNoField,
    toValue: (entered) => entered === 'true',
  },
  choice: {
    ...plain,
    firstOrder: 'asc',
    isWide: false,
    filter: choicesKind,
    Cell: cell((value, { choices }) => <Choices choices={chosenOf(choices, [textOf(value)])} />),
    Field: ChoiceField,
    toValue: (entered) => entered,
  },
  choices: {
    ...plain,
    isWide: false,
    filter: { input: 'choice', operators: ['has'] },
    condition: listCondition,
    Cell: cell((value, { choices }, isLine) => <Choices choices={chosenOf(choices, textsOf(value))} isLine={isLine} />),
    Field: ChoicesField,
    empty: [],
    toEntered: textsOf,
    toValue: (entered) => entered,
  },
  url: {
    ...plain,
    firstOrder: 'asc',
    filter: textKind,
    Cell: cell((value) => <WebLink address={textOf(value)} />),
    Field: (props) => <LineField {...props} look={{ type: 'url' }} />,
  },
  email: {
    ...plain,
    firstOrder: 'asc',
    filter: textKind,
    Cell: cell((value) => <MailTo address={textOf(value)} />),
    Field: (props) => <LineField {...props} look={{ type: 'email' }} />,
  },
  json: { ...plain, isExtra: true, Cell: cell((value, _column, isLine) => <Json value={value} isLine={isLine} />) },
  'text-list': {
    ...plain,
    filter: { input: 'text', operators: ['has'] },
    condition: listCondition,
    Cell: cell((value, _column, isLine) => <Texts texts={textsOf(value)} isLine={isLine} />),
    Field: ListField,
    empty: [],
    toEntered: textsOf,
    toValue: (entered) => entered,
  },
}

import type { Operand, Param } from '../request/operand.ts'
import type { Range } from '../request/parse-range.ts'
import type { Column, Resource } from '../resources/define.ts'
import type { Relation } from '../resources/relations.ts'
import type { SearchLanguage } from '../resources/text/languages.ts'
import type { Aggregate, CastName } from '../types/column-type.ts'
import type { IsWord, TakenOperator } from '../types/operators.ts'

/** Which rows of a resource. */
export interface Narrowed {
  readonly resource: Resource
  readonly where: readonly Condition[]
}

/** Of one request, in their canonical spelling. Conditions name them by their number. */
export type Values = readonly [companyId: string, ...operands: Operand[]]

/** There is no plan that touches rows without a company, and it is the same for all that is embedded in them. */
export interface Scoped extends Narrowed {
  readonly values: Values
  /** Holds no value: one object for all plans that differ in their values, their page or their body alone. */
  readonly shared: RowsPlan
}

export interface Comparison {
  readonly kind: 'comparison'
  readonly column: Column
  readonly negated: boolean
  readonly operator: ComparingOperator
  readonly quantifier: 'any' | 'all' | null
  /** Of a full-text search. */
  readonly language: SearchLanguage
  readonly operand: Param
}

export type ComparingOperator = Exclude<TakenOperator, 'is'>

export type Condition =
  | Comparison
  | { readonly kind: 'is'; readonly column: Column; readonly negated: boolean; readonly word: IsWord }
  | { readonly kind: 'and' | 'or'; readonly negated: boolean; readonly conditions: readonly Condition[] }
  | { readonly kind: 'related'; readonly negated: boolean; readonly embed: Embed }

export interface Field {
  readonly kind: 'field'
  readonly key: string
  /** null for a count of rows. */
  readonly column: Column | null
  readonly cast: CastName | null
  readonly aggregate: Aggregate | null
  readonly aggregateCast: CastName | null
  /** Where a moment is cast: the time zone of the request, if it names one. */
  readonly zone: Param | null
}

export interface Embed {
  readonly kind: 'embed'
  readonly key: string
  readonly relation: Relation
  /** Rows without a match are left out. */
  readonly inner: boolean
  /** Its fields are lifted into the row around it. */
  readonly spread: boolean
  readonly plan: RowsPlan
}

export type Selected = Field | Embed

export interface Order {
  readonly column: Column
  /** Of a field that an embed shows, which is ordered by as it is shown there. */
  readonly cast: CastName | null
  readonly zone: Param | null
  /** The to-one embed whose column it is, or null for an own one. */
  readonly via: Embed | null
  readonly descending: boolean
  readonly nullsFirst: boolean
}

/** What is read of one resource: a tree, in which what is embedded is a read of its own. */
export interface RowsPlan extends Narrowed {
  readonly selection: readonly Selected[]
  readonly order: readonly Order[]
  readonly range: Range
}

export interface ReadPlan extends RowsPlan, Scoped {
  readonly kind: 'read'
  readonly counted: boolean
  /** Exactly one row, or the request fails. */
  readonly single: boolean
}

/** Who makes a change. */
export interface EventActor {
  readonly kind: 'credential' | 'person' | 'operator'
  /** null for the operator, who uses the command line. */
  readonly id: string | null
}

/** What to answer after a write, and what would undo it. */
interface Written extends Scoped {
  readonly selection: readonly Selected[]
  /** The selection, or nothing where the client does not want to see the rows. */
  readonly returning: readonly Selected[]
  readonly order: readonly Order[]
  readonly single: boolean
  readonly affectedMax: number | null
  /** Nothing is written unless the rows are as in one of these versions of them. */
  readonly versions: readonly string[] | null
  /** The client wants to see what would be written, and nothing is kept. */
  readonly isTrial: boolean
  /** Nothing is written unless the rows have these values already. */
  readonly sentBack: SentBack | null
  /** Each row that is written makes an event, by whom it says. null: the company wants none. */
  readonly actor: EventActor | null
}

/** Columns that only the server sets, with their values for each row that was sent. */
export interface SentBack {
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly string[])[]
}

export interface InsertPlan extends Written {
  readonly kind: 'insert'
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly (string | null)[])[]
  /** What becomes of a row whose primary key is there already; null: a failure. */
  readonly conflict:
    | { readonly action: 'ignore' }
    | { readonly action: 'merge'; readonly changes: readonly Column[] }
    | null
  /** Whether a row that is there already is what the client guarded against, and not a surprise. */
  readonly onlyNew: boolean
  /** Rows that cannot be new, because of a state that none starts with. */
  readonly started: readonly Started[]
}

/** A row by its key, and the error if it is not there. */
export interface Started {
  readonly key: string
  readonly refusal: Error
}

export interface UpdatePlan extends Written {
  readonly kind: 'update'
  readonly changes: readonly { readonly column: Column; readonly value: string | null }[]
}

export interface DeletePlan extends Written {
  readonly kind: 'delete'
}

/** The request is in order, but there is nothing to do for it: not scoped to a company, or no rows. */
export interface NothingPlan {
  readonly kind: 'nothing'
  readonly single: boolean
}

export type WritePlan = InsertPlan | UpdatePlan | DeletePlan

export type Plan = ReadPlan | WritePlan | NothingPlan

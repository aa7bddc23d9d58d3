import { memoize } from '../caches/memoize.ts'
import { failure } from '../errors/index.ts'
import type { Column, Resource } from './define.ts'
import { resources } from './index.ts'
import { nearest } from './nearest.ts'

/** How rows of one resource belong to rows of another: `own` of the one holds what `other` of the target holds. */
export interface Relation {
  readonly many: boolean
  readonly target: Resource
  readonly own: Column
  readonly other: Column
  /** The name of the foreign key. */
  readonly constraint: string
}

/** The relation that an embed names: by the other resource, by the column, or by the foreign key, and perhaps a hint. */
export function findRelation(resource: Resource, name: string, hint: string | null): Relation {
  const candidates = relationsOf(resource).filter((relation) => namesOf(relation).includes(name))
  const [relation] = hint === null ? candidates : candidates.filter((candidate) => hintsOf(candidate).includes(hint))
  if (relation) return relation
  const close =
    hint === null
      ? nearest(
          name,
          relationsOf(resource).map(({ target }) => target.name),
        )
      : null
  throw failure.relationUnknown(resource.name, name, hint, close)
}

const relationsOf = memoize((resource: Resource): Relation[] =>
  siblingsOf(resource).flatMap((other) => [
    ...(other === resource ? foreignKeys(resource) : []),
    ...foreignKeys(other)
      .filter(({ target }) => target === resource)
      .map(({ own, other: key, constraint }) => ({ many: true, target: other, own: key, other: own, constraint })),
  ]),
)

/** A company's own resources belong together. */
export const siblingsOf = ({ siblings }: Resource): readonly Resource[] => siblings ?? resources

export function foreignKeys(resource: Resource): Relation[] {
  return [...resource.columns.values()].flatMap((own) => {
    const target = siblingsOf(resource).find(({ name }) => name === own.references)
    return target
      ? [{ many: false, target, own, other: target.primaryKey, constraint: `${resource.name}_${own.name}_fkey` }]
      : []
  })
}

const namesOf = ({ many, target, own, constraint }: Relation): string[] => [
  target.name,
  constraint,
  ...(many ? [] : [own.name]),
]

const hintsOf = ({ own, other, constraint }: Relation): string[] => [own.name, other.name, constraint]

import { Anchor, Text } from '@mantine/core'
import { ApiFailure } from '../api.ts'
import type { Resource, Row } from '../api-types.ts'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { NameList } from '../parts/name-list.tsx'
import { useLink } from '../session.tsx'
import { ApiCall } from './api-call.tsx'
import { pathOf, useDeleteRows } from './delete-rows.ts'
import { childrenOf, childrenPath, countOf, idOf, nameOf, type Reference, useResources } from './resources.ts'
import { anyOf, capitalized, oneOf } from './words.ts'

interface DeleteDialogProps {
  readonly resource: Resource
  readonly rows: readonly Row[]
  readonly close: () => void
}

/** Deletes one row or several, except those to which rows of others belong: these can be gone to. */
export function DeleteDialog({ resource, rows, close }: DeleteDialogProps) {
  const { one, many } = resource
  const children = childrenOf(resource, useResources())
  const deleteRows = useDeleteRows(resource)
  const blocked = rows.filter((row) => blockingOf(children, row).length > 0)
  const free = rows.filter((row) => !blocked.includes(row))
  const [first] = rows
  const isOne = rows.length === 1 && first !== undefined
  const what = isOne ? nameOf(resource, first) : `${free.length || rows.length} ${many}`
  const isSome = free.length > 0 && blocked.length > 0
  const others = anyOf(children.map(({ from }) => from.many))
  const run = () =>
    deleteRows(free).catch((error: unknown) => {
      throw inWords(error, resource, children)
    })
  return (
    <ConfirmDialog
      title={`Delete ${what}?`}
      action={
        isSome
          ? `Delete the ${free.length} that ${free.length === 1 ? 'has' : 'have'} no ${others}`
          : `Delete ${isOne ? one : many}`
      }
      isReady={free.length > 0}
      run={run}
      close={close}
    >
      {free.length > 0 && (
        <Text>
          {isOne ? 'It is' : 'They are'} gone for the API at once. You can undo this for some seconds; only the time of
          creation is then a new one.
        </Text>
      )}
      {children.length > 0 && (
        <Text size="sm">
          {capitalized(oneOf(resource))} can be deleted once no {anyOf(children.map(({ from }) => from.one))} belongs to
          it.{blocked.length > 0 && ' Not deleted:'}
        </Text>
      )}
      {blocked.length > 0 && (
        <NameList
          label="Not deleted"
          names={blocked.map((row) => (
            <Blocked key={idOf(resource, row)} resource={resource} row={row} references={children} close={close} />
          ))}
        />
      )}
      {free.length > 0 && <ApiCall method="DELETE" path={pathOf(resource, free)} />}
    </ConfirmDialog>
  )
}

/** The resources with rows that belong to a row, as far as the list has counted them. */
const blockingOf = (children: readonly Reference[], row: Row): readonly Reference[] =>
  children.filter((reference) => (countOf(reference, row) ?? 0) > 0)

interface BlockedProps {
  readonly resource: Resource
  readonly row: Row
  readonly references: readonly Reference[]
  readonly close: () => void
}

/** A row that stays, with the way to those that have to go first. */
function Blocked({ resource, row, references, close }: BlockedProps) {
  const link = useLink()
  return (
    <>
      <bdi className="strong">{nameOf(resource, row)}</bdi>:{' '}
      {blockingOf(references, row).map((reference) => {
        const count = countOf(reference, row) ?? 0
        return (
          <Anchor
            key={reference.column.name}
            inherit
            {...link(childrenPath(reference, idOf(resource, row)))}
            onClickCapture={close}
          >
            {count.toLocaleString('en')} {count === 1 ? reference.from.one : reference.from.many}
          </Anchor>
        )
      })}
    </>
  )
}

/** Says which rows still belong to the one that was to be deleted. */
function inWords(error: unknown, { one }: Resource, children: readonly Reference[]): unknown {
  if (!(error instanceof ApiFailure) || error.code !== '23503') return error
  const child = children.find(({ from }) => error.details?.includes(`"${from.name}"`))?.from
  if (!child) return error
  const message = `${capitalized(child.many)} belong to this ${one}.`
  const hint = `Delete them first, or give them another ${one}.`
  return new ApiFailure(error.status, error.code, message, null, hint, error.requestId)
}

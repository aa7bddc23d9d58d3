import { Anchor, Text } from '@mantine/core'
import { ApiFailure } from '../api.ts'
import type { Resource, Row } from '../api-types.ts'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
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

/** Deletes one row or several, unless rows of others belong to them: those can be gone to. */
export function DeleteDialog({ resource, rows, close }: DeleteDialogProps) {
  const children = childrenOf(resource, useResources())
  const deleteRows = useDeleteRows(resource)
  const [first] = rows
  const isOne = rows.length === 1 && first !== undefined
  const what = isOne ? nameOf(resource, first) : `${rows.length} ${resource.many}`
  const run = () =>
    deleteRows(rows).catch((error: unknown) => {
      throw inWords(error, resource, children)
    })
  return (
    <ConfirmDialog
      title={`Delete ${what}?`}
      action={`Delete ${isOne ? resource.one : resource.many}`}
      run={run}
      close={close}
    >
      <Text>
        {isOne ? 'It is' : 'They are'} gone for the API at once. You can undo this for some seconds; only the time of
        creation is then a new one.
      </Text>
      {children.length > 0 && (
        <Text size="sm">
          {capitalized(oneOf(resource))} can be deleted once no {anyOf(children.map(({ from }) => from.one))} belongs to
          it.
        </Text>
      )}
      {children.map((reference) => (
        <Blocking key={reference.column.name} resource={resource} reference={reference} rows={rows} close={close} />
      ))}
      <ApiCall method="DELETE" path={pathOf(resource, rows)} />
    </ConfirmDialog>
  )
}

interface BlockingProps extends DeleteDialogProps {
  readonly reference: Reference
}

/** The rows that have to go first, each with the way to them. */
function Blocking({ resource, reference, rows, close }: BlockingProps) {
  const link = useLink()
  const counted = rows.map((row) => ({ row, count: countOf(reference, row) ?? 0 })).filter(({ count }) => count > 0)
  if (counted.length === 0) return null
  return (
    <ul className="company-list">
      {counted.map(({ row, count }) => (
        <li key={idOf(resource, row)}>
          <bdi className="strong">{nameOf(resource, row)}</bdi>:{' '}
          <Anchor {...link(childrenPath(reference, idOf(resource, row)))} onClickCapture={close}>
            {count.toLocaleString('en')} {count === 1 ? reference.from.one : reference.from.many}
          </Anchor>
        </li>
      ))}
    </ul>
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

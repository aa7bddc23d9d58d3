import { Button } from '@mantine/core'
import type { Resource } from '../api-types.ts'
import { Icon } from '../parts/icons.tsx'
import { idOf, nameOf, referredBy, useResources } from '../rows/resources.ts'
import { useLink } from '../session.tsx'
import { NoValue } from './cells.tsx'
import type { CellProps, FieldProps } from './column-view.ts'
import { isNamed, RowPicker, useNamedRows } from './row-picker.tsx'

/** The name of the row that a column refers to, which leads there. */
export function ReferenceCell({ column, row }: CellProps) {
  const link = useLink()
  const to = useResources().find(({ name }) => name === column.references)
  const referred = referredBy(column, row)
  if (!to || !referred) return <NoValue />
  const name = nameOf(to, referred)
  return (
    <a className="clamp link" title={name} dir="auto" {...link(`${to.path}?open=${row[column.name]}`)}>
      {name}
    </a>
  )
}

export function ReferenceField(props: FieldProps) {
  const to = useResources().find(({ name }) => name === props.column.references)
  return to ? <ReferenceSelect to={to} {...props} /> : null
}

/** Chooses a row, and offers to create one. */
function ReferenceSelect({ to, entered, enter, input, createOther }: FieldProps & { readonly to: Resource }) {
  const hasNone = useNamedRows(to, '').data?.length === 0
  const description = isNamed(to) ? `${input.description} Type a part of its name.` : input.description
  return (
    <div>
      <RowPicker {...input} description={description} to={to} id={String(entered)} change={enter} />
      <Button
        mt={6}
        size="xs"
        variant={hasNone ? 'filled' : 'subtle'}
        leftSection={<Icon name="plus" size={14} />}
        onClick={() => createOther(to, (row) => enter(idOf(to, row)))}
      >
        {hasNone ? `Create the first ${to.one}` : `Create a new ${to.one}`}
      </Button>
    </div>
  )
}

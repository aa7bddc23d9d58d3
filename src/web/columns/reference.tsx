import { Anchor, Button, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import type { Resource, Row } from '../api-types.ts'
import { Icon } from '../parts/icons.tsx'
import { containing, readable } from '../rows/query.ts'
import { idOf, nameOf, referredBy, useResources } from '../rows/resources.ts'
import { useAnswer, useLink } from '../session.tsx'
import { NoValue } from './cells.tsx'
import type { CellProps, FieldProps } from './column-view.ts'

/** The name of the row that a column refers to, which leads there. */
export function ReferenceCell({ column, row }: CellProps) {
  const link = useLink()
  const to = useResources().find(({ name }) => name === column.references)
  const referred = referredBy(column, row)
  if (!to || !referred) return <NoValue />
  return (
    <Anchor size="sm" className="text-cell" dir="auto" {...link(`${to.path}?${to.primary_key}=${row[column.name]}`)}>
      {nameOf(to, referred)}
    </Anchor>
  )
}

export function ReferenceField(props: FieldProps) {
  const to = useResources().find(({ name }) => name === props.column.references)
  return to ? <ReferenceSelect to={to} {...props} /> : null
}

/** Finds a row by a part of its name, however many there are, and offers to create one. */
function ReferenceSelect({ to, entered, enter, input, createOther }: FieldProps & { readonly to: Resource }) {
  const [text, setText] = useState('')
  const chosen = useNamedRow(to, String(entered))
  const chosenName = chosen ? nameOf(to, chosen) : ''
  const [search] = useDebouncedValue(text === chosenName ? '' : text.trim(), 200)
  const found = useNamedRows(to, search)
  const isListed = (found.data ?? []).some((row) => idOf(to, row) === entered)
  const rows = [...(chosen && !isListed ? [chosen] : []), ...(found.data ?? [])]
  const hasNone = search === '' && found.data?.length === 0
  return (
    <div>
      <Select
        {...input}
        description={isNamed(to) ? `${input.description} Type a part of its name.` : input.description}
        placeholder={hasNone ? `There are no ${to.many} yet` : ''}
        searchable={isNamed(to)}
        clearable={!input.required}
        allowDeselect={false}
        data={rows.map((row) => ({ value: idOf(to, row), label: nameOf(to, row) }))}
        filter={({ options }) => options}
        value={entered === '' ? null : String(entered)}
        onChange={(id) => enter(id ?? '')}
        onSearchChange={setText}
        nothingFoundMessage={found.isFetching ? 'Searching…' : `No ${to.one} has this in its name.`}
        {...(found.error ? { error: `Could not load the ${to.many}: ${found.error.message}` } : {})}
      />
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

function useNamedRows(resource: Resource, search: string) {
  const { name, naming_column } = resource
  const query = new URLSearchParams({ select: nameColumns(resource), order: nameColumns(resource), limit: '30' })
  if (search !== '') query.set(naming_column, containing(search))
  return useAnswer<readonly Row[]>(`/rest/${name}?${readable(query)}`, { placeholderData: keepPreviousData })
}

/** A row with nothing but its name; undefined until it is there. */
export function useNamedRow(resource: Resource | null, id: string): Row | undefined {
  const query = resource && `${resource.primary_key}=eq.${encodeURIComponent(id)}&select=${nameColumns(resource)}`
  const isAsked = resource !== null && id !== ''
  return useAnswer<readonly Row[]>(`/rest/${resource?.name}?${query}`, { enabled: isAsked }).data?.[0]
}

const isNamed = ({ primary_key, naming_column }: Resource): boolean => naming_column !== primary_key

/** `bid_name,id` */
const nameColumns = (resource: Resource): string =>
  isNamed(resource) ? `${resource.naming_column},${resource.primary_key}` : resource.primary_key

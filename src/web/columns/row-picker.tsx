import { Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import type { Resource, Row } from '../api-types.ts'
import { useIsReachable } from '../connection.ts'
import { containing, readable } from '../rows/query.ts'
import { idOf, nameOf } from '../rows/resources.ts'
import { useAnswer } from '../session.tsx'

interface RowPickerProps extends Pick<SelectProps, 'label' | 'description' | 'size' | 'required' | 'error'> {
  readonly to: Resource
  /** Of the row that is chosen; empty for none. */
  readonly id: string
  readonly change: (id: string) => void
  readonly withAsterisk: false
}

/** Finds a row by a part of its name, however many there are. */
export function RowPicker({ to, id, change, ...input }: RowPickerProps) {
  const [text, setText] = useState('')
  const isReachable = useIsReachable()
  const chosen = useNamedRow(to, id)
  const chosenName = chosen ? nameOf(to, chosen) : ''
  const [search] = useDebouncedValue(text === chosenName ? '' : text.trim(), 200)
  const found = useNamedRows(to, search)
  const isListed = (found.data ?? []).some((row) => idOf(to, row) === id)
  const rows = [...(chosen && !isListed ? [chosen] : []), ...(found.data ?? [])]
  const isEmpty = search === '' && found.data?.length === 0
  const nothing = found.isFetching ? 'Searching…' : `No ${to.one} has this in its name.`
  return (
    <Select
      {...input}
      // What is chosen has no text until its name has come.
      required={input.required === true && id === ''}
      placeholder={isEmpty ? `There are no ${to.many} yet` : ''}
      searchable={isNamed(to)}
      clearable={!input.required}
      allowDeselect={false}
      data={rows.map((row) => ({ value: idOf(to, row), label: nameOf(to, row) }))}
      filter={({ options }) => options}
      value={id === '' ? null : id}
      onChange={(value) => change(value ?? '')}
      onSearchChange={setText}
      nothingFoundMessage={isReachable ? nothing : 'The server cannot be reached. The list comes when it is back.'}
      {...(found.error && isReachable ? { error: `Could not load the ${to.many}: ${found.error.message}` } : {})}
    />
  )
}

/** The first rows whose names have this in them. */
export function useNamedRows(resource: Resource, search: string) {
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

export const isNamed = ({ primary_key, naming_column }: Resource): boolean => naming_column !== primary_key

/** `bid_name,id` */
const nameColumns = (resource: Resource): string =>
  isNamed(resource) ? `${resource.naming_column},${resource.primary_key}` : resource.primary_key

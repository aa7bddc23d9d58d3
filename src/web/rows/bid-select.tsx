import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import type { Bid } from '../api-types.ts'
import { useAnswer } from '../session.tsx'
import { containing, readable } from './view.ts'

interface ChosenBid {
  readonly id: string
  readonly name: string
}

interface BidSelectProps {
  readonly chosen: ChosenBid | null
  readonly choose: (bid: ChosenBid | null) => void
}

/** Finds a bid by a part of its name, however many there are. */
export function BidSelect({ chosen, choose }: BidSelectProps) {
  const [text, setText] = useState(chosen?.name ?? '')
  const [search] = useDebouncedValue(text === chosen?.name ? '' : text.trim(), 200)
  const query = new URLSearchParams({ select: 'id,bid_name', order: 'bid_name,id', limit: '30' })
  if (search !== '') query.set('bid_name', containing(search))
  const found = useAnswer<readonly Bid[]>(`/api/rest/bid?${readable(query)}`, { placeholderData: keepPreviousData })
  const options = (found.data ?? []).map(({ id, bid_name }) => ({ value: id, label: bid_name }))
  const all =
    chosen === null || options.some(({ value }) => value === chosen.id)
      ? options
      : [{ value: chosen.id, label: chosen.name }, ...options]
  return (
    <Select
      label="Bid"
      description="The bid that won this project. Type a part of its name."
      required
      withAsterisk={false}
      searchable
      data={all}
      filter={({ options: unfiltered }) => unfiltered}
      value={chosen?.id ?? null}
      onChange={(id, option) => choose(id === null || option === null ? null : { id, name: option.label })}
      searchValue={text}
      onSearchChange={setText}
      nothingFoundMessage={found.isFetching ? 'Searching…' : 'No bid has this in its name.'}
      {...(found.error ? { error: `Could not load the bids: ${found.error.message}` } : {})}
    />
  )
}

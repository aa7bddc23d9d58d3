import { keepPreviousData } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { get } from '../api.ts'
import type { RequestsPage } from '../api-types.ts'
import { apiPath, useAnswer, useHere } from '../session.tsx'
import { withNewest, withOlder } from './merge-requests.ts'

const pollMs = 2_000

interface Wanted {
  readonly credential?: string | null
  readonly outcome?: string | null
  readonly method?: string | null
  readonly status?: string | null
  readonly path?: string | null
  readonly limit: number
  readonly isLive: boolean
}

/** Requests as they come, newest first. The newest page is read again and again: a slow request may end after a later one. */
export function useLiveRequests({ limit, isLive, ...filters }: Wanted) {
  const { company } = useHere()
  const [shown, setShown] = useState<RequestsPage | null>(null)
  const [isLoadingMore, setLoadingMore] = useState(false)
  const path = pathOf({ ...filters, limit: String(limit) })
  const newest = useAnswer<RequestsPage>(path, {
    refetchInterval: isLive ? pollMs : false,
    placeholderData: keepPreviousData,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter starts another list.
  useEffect(() => setShown(null), [path])
  const { data, isPlaceholderData } = newest
  useEffect(() => {
    if (data && !isPlaceholderData) setShown((before) => withNewest(before, data))
  }, [data, isPlaceholderData])
  const loadMore = async () => {
    setLoadingMore(true)
    try {
      const older = await get<RequestsPage>(apiPath(company.id, `${path}&before=${shown?.next ?? ''}`))
      setShown((before) => before && withOlder(before, older))
    } finally {
      setLoadingMore(false)
    }
  }
  return { newest, shown, loadMore, isLoadingMore }
}

function pathOf(filters: Readonly<Record<string, string | null | undefined>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(filters)) if (value) query.set(name, value)
  return `/requests?${query}`
}

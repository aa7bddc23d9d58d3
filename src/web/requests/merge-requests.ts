import type { LoggedRequest, RequestsPage } from '../api-types.ts'

/** What is shown, with the newest page on top. Where requests came between the two that nobody read, that page alone. */
export function withNewest(shown: RequestsPage | null, page: RequestsPage): RequestsPage {
  const last = page.requests.at(-1)
  if (!shown || !last || page.next === null) return page
  const fresh = new Set(page.requests.map(({ id }) => id))
  if (!shown.requests.some(({ id }) => fresh.has(id))) return page
  const below = shown.requests.filter(({ id }) => id < last.id)
  return { ...page, requests: [...page.requests, ...below], next: below.length === 0 ? page.next : shown.next }
}

/** The same with the page below. */
export const withOlder = (shown: RequestsPage, older: RequestsPage): RequestsPage => ({
  ...shown,
  requests: withoutTwice([...shown.requests, ...older.requests]),
  next: older.next,
})

const withoutTwice = (requests: readonly LoggedRequest[]): readonly LoggedRequest[] => [
  ...new Map(requests.map((request) => [request.id, request])).values(),
]

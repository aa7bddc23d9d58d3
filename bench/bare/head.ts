/** The head of an answer: what it always has, and what would be another with each answer. */
export interface Head {
  readonly fixed: Headers
  readonly own: readonly (readonly [name: string, value: string])[]
}

const ownNames: readonly string[] = [
  ...['x-request-id', 'server-timing', 'etag', 'content-range', 'content-location', 'link', 'location'],
]

export const leastHead: Head = { fixed: new Headers({ 'Content-Type': 'application/json; charset=utf-8' }), own: [] }

/** The headers of an answer of the service → the same, to be sent again. */
export function headOf(sent: Headers): Head {
  const all = [...sent]
  return {
    fixed: new Headers(all.filter(([name]) => !ownNames.includes(name))),
    own: all.filter(([name]) => ownNames.includes(name)),
  }
}

/** By the fastest calls that we know of. */
export function answer(text: string, status: number, { fixed, own }: Head): Response {
  const response = new Response(text, { status, headers: fixed })
  for (const [name, value] of own) response.headers.set(name, value)
  return response
}

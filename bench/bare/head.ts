/** The headers of a response: constant ones, and those that differ in each response. */
export interface Head {
  readonly fixed: Headers
  readonly own: readonly (readonly [name: string, value: string])[]
}

const ownNames: readonly string[] = [
  ...['x-request-id', 'server-timing', 'etag', 'content-range', 'content-location', 'link', 'location'],
]

export const leastHead: Head = { fixed: new Headers({ 'Content-Type': 'application/json; charset=utf-8' }), own: [] }

/** The headers of a response of the service → the same, to be sent by the bare handler. */
export function headOf(sent: Headers): Head {
  const all = [...sent]
  return {
    fixed: new Headers(all.filter(([name]) => !ownNames.includes(name))),
    own: all.filter(([name]) => ownNames.includes(name)),
  }
}

/** With the fastest calls that we know. */
export function answer(text: string, status: number, { fixed, own }: Head): Response {
  const response = new Response(text, { status, headers: fixed })
  for (const [name, value] of own) response.headers.set(name, value)
  return response
}

/** Stages go by the method, the headers and the body; where a request goes is its address. */
const here = 'http://localhost/'

/** A request for rows that comes from within: of an agent's tool, or of an import. */
export function rowsRequest(
  method: string,
  headers: Readonly<Record<string, string>>,
  body: string | undefined,
): Request {
  if (body === undefined) return new Request(here, { method, headers })
  const bytes = new TextEncoder().encode(body)
  return new Request(here, { method, headers: { ...headers, 'Content-Length': String(bytes.byteLength) }, body: bytes })
}

/** Many MCP clients send nothing but a Bearer token, so it stands for `apikey` where that is missing. */
export function credentialHeaders(headers: Headers): Headers {
  const [, token] = /^bearer +(\S+)$/i.exec(headers.get('authorization') ?? '') ?? []
  if (headers.has('apikey') || token === undefined) return headers
  const own = new Headers(headers)
  own.set('apikey', token)
  return own
}

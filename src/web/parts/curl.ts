interface CurlCall {
  readonly method: string
  readonly url: string
  /** What comes behind `-d`, quoted where it has to be. */
  readonly data?: string | undefined
}

/** Ready for a shell in which PROJECT_API_KEY and PROJECT_API_SECRET are set. */
export function curlOf({ method, url, data }: CurlCall): string {
  const lines = [
    curls[method] ?? `curl -X ${method}`,
    '-H "apikey: $PROJECT_API_KEY"',
    '-H "Authorization: Bearer $PROJECT_API_KEY"',
    '-H "X-API-Secret: $PROJECT_API_SECRET"',
  ]
  if (data !== undefined) lines.push("-H 'Content-Type: application/json'", `-d ${data}`)
  return [...lines, quoted(url)].join(' \\\n  ')
}

/** With `-X HEAD`, curl would wait for a body. */
const curls: Readonly<Record<string, string>> = { GET: 'curl', HEAD: 'curl -I' }

/** `it's` → `'it'\''s'` */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

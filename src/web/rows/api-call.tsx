import { CodeBlock } from '../parts/code-block.tsx'
import { Disclosure } from '../parts/disclosure.tsx'
import { useSetup } from '../queries.ts'

interface ApiCallProps {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** `project?select=*` */
  readonly path: string
  readonly body?: unknown
}

/** The same as an API call, for an application to do what the page does. */
export function ApiCall(call: ApiCallProps) {
  const { data: setup } = useSetup()
  return (
    <Disclosure label="Show as API call" openLabel="Hide API call" icon="code">
      <CodeBlock label="curl command" text={curlOf(setup?.base_url ?? location.origin, call)} />
    </Disclosure>
  )
}

/** Ready for a shell in which PROJECT_API_KEY and PROJECT_API_SECRET are set. */
function curlOf(base: string, { method, path, body }: ApiCallProps): string {
  const lines = [
    method === 'GET' ? 'curl' : `curl -X ${method}`,
    '-H "apikey: $PROJECT_API_KEY"',
    '-H "Authorization: Bearer $PROJECT_API_KEY"',
    '-H "X-API-Secret: $PROJECT_API_SECRET"',
  ]
  if (body !== undefined) lines.push("-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body))}`)
  return [...lines, quoted(`${base}/rest/v1/${path}`)].join(' \\\n  ')
}

/** `it's` → `'it'\''s'` */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

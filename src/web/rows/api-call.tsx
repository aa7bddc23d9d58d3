import { CodeBlock } from '../parts/code-block.tsx'
import { curlOf, quoted } from '../parts/curl.ts'
import { Disclosure } from '../parts/disclosure.tsx'
import { useSetup } from '../queries.ts'

interface ApiCallProps {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** `project?select=*` */
  readonly path: string
  readonly body?: unknown
}

/** The same as an API call, for an application to do what the page does. */
export function ApiCall({ method, path, body }: ApiCallProps) {
  const { data: setup } = useSetup()
  const url = `${setup?.base_url ?? location.origin}/rest/v1/${path}`
  const data = body === undefined ? undefined : quoted(JSON.stringify(body))
  return (
    <Disclosure label="Show as API call" openLabel="Hide API call" icon="code">
      <CodeBlock label="curl command" text={curlOf({ method, url, data })} />
    </Disclosure>
  )
}

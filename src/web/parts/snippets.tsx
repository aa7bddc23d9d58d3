import { Tabs } from '@mantine/core'
import { CodeBlock } from './code-block.tsx'

interface Access {
  readonly base: string
  readonly apiKey: string
  /** Null where it is not known, which is everywhere but in the one moment when it is shown. */
  readonly secret: string | null
}

interface Snippet {
  readonly name: string
  readonly label: string
  readonly text: string
}

/** The first request, ready to paste, in the languages that people come with. */
function makeSnippets({ base, apiKey: key, secret }: Access): readonly Snippet[] {
  const inNode = secret === null ? 'process.env.PROJECT_API_SECRET' : `'${secret}'`
  const inPython = secret === null ? 'os.environ["PROJECT_API_SECRET"]' : `"${secret}"`
  return [
    {
      name: 'curl',
      label: 'curl command',
      text: `curl -H 'apikey: ${key}' \\
  -H 'Authorization: Bearer ${key}' \\
  -H "X-API-Secret: ${secret ?? '$PROJECT_API_SECRET'}" \\
  '${base}/rest/v1/project?select=*'`,
    },
    {
      name: 'supabase-js',
      label: 'supabase-js code',
      text: `import { createClient } from '@supabase/supabase-js'

const api = createClient('${base}', '${key}', {
  global: { headers: { 'X-API-Secret': ${inNode} } },
})
const { data, error } = await api.from('project').select()
console.log(error ?? data)`,
    },
    {
      name: 'fetch',
      label: 'fetch code',
      text: `const response = await fetch('${base}/rest/v1/project?select=*', {
  headers: {
    apikey: '${key}',
    Authorization: 'Bearer ${key}',
    'X-API-Secret': ${inNode},
  },
})
console.log(response.status, await response.json())`,
    },
    {
      name: 'Python',
      label: 'Python code',
      text: `import json, os, urllib.request

request = urllib.request.Request(
    "${base}/rest/v1/project?select=*",
    headers={
        "apikey": "${key}",
        "Authorization": "Bearer ${key}",
        "X-API-Secret": ${inPython},
    },
)
print(json.load(urllib.request.urlopen(request)))`,
    },
  ]
}

interface SnippetsProps extends Access {
  readonly isMasked?: boolean
  readonly onCopied?: (() => void) | undefined
}

export function Snippets({ isMasked = false, onCopied, ...access }: SnippetsProps) {
  const shown = makeSnippets({ ...access, secret: access.secret === null ? null : isMasked ? mask : access.secret })
  return (
    <Tabs defaultValue="curl" keepMounted={false}>
      <Tabs.List aria-label="Language">
        {shown.map(({ name }) => (
          <Tabs.Tab key={name} value={name}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {makeSnippets(access).map(({ name, label, text }, at) => (
        <Tabs.Panel key={name} value={name} pt="sm">
          <CodeBlock label={label} text={text} shown={shown[at]?.text} onCopied={onCopied} />
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

/** Stands for a secret that nobody behind the person should read. */
export const mask = `pas_${'•'.repeat(12)}`

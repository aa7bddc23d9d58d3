import { Tabs } from '@mantine/core'
import type { Field } from '../api-types.ts'
import { CodeBlock } from '../parts/code-block.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { useSetup } from '../queries.ts'
import { useHere } from '../session.tsx'
import { commandOf } from './field-command.ts'

/** How an application reads rows by the field, and how an operator makes the same field. */
export function FieldCalls({ field, close }: { readonly field: Field; readonly close: () => void }) {
  const { data: setup } = useSetup()
  const { company } = useHere()
  const base = setup?.base_url ?? location.origin
  const snippets = [
    { name: 'curl', label: 'curl command', text: curlOf(base, field) },
    { name: 'supabase-js', label: 'supabase-js code', text: supabaseOf(base, field) },
    { name: 'Command line', label: 'command line', text: commandOf(field, company.name) },
  ]
  return (
    <Dialog title={`API calls of ${field.label}`} close={close} size="lg">
      <Tabs defaultValue="curl" keepMounted={false}>
        <Tabs.List aria-label="Language">
          {snippets.map(({ name }) => (
            <Tabs.Tab key={name} value={name}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {snippets.map(({ name, label, text }) => (
          <Tabs.Panel key={name} value={name} pt="sm">
            <CodeBlock label={label} text={text} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Dialog>
  )
}

/** A condition that shows what the type can do: `contract_value=gte.1000` */
function conditionOf({ type, choices }: Field): readonly [string, string] {
  const [first] = choices ?? []
  switch (type) {
    case 'choice':
      return ['eq', first?.value ?? '']
    case 'choices':
      return ['cs', `{${first?.value ?? ''}}`]
    case 'boolean':
      return ['is', 'true']
    case 'integer':
    case 'decimal':
    case 'number':
      return ['gte', '1000']
    case 'date':
    case 'timestamp':
      return ['lt', `${new Date().getFullYear() + 1}-01-01`]
    default:
      return ['ilike', '*a*']
  }
}

function curlOf(base: string, field: Field): string {
  const { resource, name } = field
  const [operator, value] = conditionOf(field)
  const query = `select=*&${name}=${operator}.${encodeURIComponent(value).replaceAll('*', '%2A').replaceAll('%2A', '*')}&order=${name}`
  return [
    'curl -H "apikey: $PROJECT_API_KEY"',
    '-H "Authorization: Bearer $PROJECT_API_KEY"',
    '-H "X-API-Secret: $PROJECT_API_SECRET"',
    `'${base}/rest/v1/${resource}?${query.replaceAll("'", '%27')}'`,
  ].join(' \\\n  ')
}

function supabaseOf(base: string, field: Field): string {
  const { resource, name } = field
  const [operator, value] = conditionOf(field)
  return `import { createClient } from '@supabase/supabase-js'

const api = createClient('${base}', process.env.PROJECT_API_KEY, {
  global: { headers: { 'X-API-Secret': process.env.PROJECT_API_SECRET } },
})
const { data, error } = await api
  .from('${resource}')
  .select()
  .filter('${name}', '${operator}', ${JSON.stringify(value)})
  .order('${name}')
console.log(error ?? data)`
}

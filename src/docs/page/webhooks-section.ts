import { html, type Piece } from './html.ts'
import { inline } from './markdown.ts'
import type { Webhook } from './openapi-types.ts'
import { entryList, type Section } from './parts.ts'
import { idOf, type Reference } from './read-document.ts'
import { typeWords } from './schema-words.ts'

/** What the service sends by itself: its types, and once what all of them have in common. */
export function webhooksSection({ webhooks }: Reference): Section[] {
  const [first] = Object.values(webhooks)
  if (!first) return []
  return [
    {
      id: 'webhooks',
      title: 'webhooks',
      body: html`<p>${inline(first.description)}</p>
${entryList(
  Object.entries(webhooks).map(([name, { summary }]) => ({
    ...{ id: idOf(`webhook-${name}`), kind: 'Webhook', title: name, body: html`<p>${inline(summary)}</p>` },
  })),
)}
${commonOf(first)}`,
    },
  ]
}

function commonOf({ parameters, requestBody, responses }: Webhook): Piece {
  const [content] = Object.values(requestBody.content)
  const entry = (kind: string, name: string, facts: string, description = '') => ({
    ...{ id: idOf(`webhook-${kind}-${name}`), kind: `Webhook ${kind}`, title: name, facts: [facts] },
    body: html`<p>${inline(description)}</p>`,
  })
  return html`<h3>Headers of a webhook</h3>
${entryList(parameters.map(({ name, schema, description }) => entry('header', name, typeWords(schema), description)))}
<h3>Body of a webhook</h3>
${entryList(
  Object.entries(content?.schema.properties ?? {}).map(([name, schema]) =>
    entry('member', name, typeWords(schema), schema.description),
  ),
)}
<h3>What to answer</h3>
${entryList(Object.entries(responses).map(([status, { description }]) => entry('answer', status, '', description)))}`
}

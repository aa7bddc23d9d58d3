import { html } from './html.ts'
import { inline } from './markdown.ts'
import { operationPart } from './operation-part.ts'
import { entryList, type Section } from './parts.ts'
import { type Field, fieldId, type Group, idOf, type Reference } from './read-document.ts'
import { limitWords, typeWords } from './schema-words.ts'

/** A section for each tag: its fields, and then its operations. */
export const resourceSections = (reference: Reference): Section[] =>
  reference.groups.map((group) => ({
    id: idOf(group.name),
    title: group.name,
    body: html`<p>${inline(group.description)}</p>
${entryList(group.fields.map((field) => fieldEntry(group, field)))}
${group.operations.map((operation) => operationPart(operation, group, reference))}`,
    parts: group.operations.map(({ id, summary, method }) => ({ id, title: summary, method })),
  }))

const fieldEntry = (group: Group, { name, schema, isNeeded, operators }: Field) => ({
  ...{ id: fieldId(group.name, name), kind: `Field of ${group.name}`, title: name },
  facts: [
    typeWords(schema),
    ...limitWords(schema),
    schema.readOnly === true && 'read-only',
    isNeeded && html`<strong>required in a new ${group.name}</strong>`,
  ],
  body: html`<p>${inline(schema.description ?? '')}</p>
${operators.length > 0 && html`<p class="operators"><a href="#filters">Filter by</a> ${operators.map((one) => html`<code>${one}</code> `)}</p>`}`,
})

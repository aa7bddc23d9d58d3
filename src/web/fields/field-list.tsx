import { Badge, Button, Code, Text, VisuallyHidden } from '@mantine/core'
import { useRef, useState } from 'react'
import type { Field, FieldValues, Resource } from '../api-types.ts'
import { Choices } from '../columns/choice.tsx'
import { AllowedButton } from '../parts/allowed-button.tsx'
import { Disclosure } from '../parts/disclosure.tsx'
import { MoveHandle } from '../parts/move-handle.tsx'
import { useReorder } from '../parts/reorder.ts'
import { showFailure } from '../parts/toasts.tsx'
import { useAnswer, useRefusal, useSend } from '../session.tsx'
import { refreshFields } from './field-dialog.tsx'
import { fieldTypes } from './field-types.ts'
import { StateGraph } from './state-graph.tsx'

interface FieldListProps {
  readonly resource: Resource
  readonly fields: readonly Field[]
  readonly values: FieldValues | undefined
  readonly edit: (field: Field) => void
  readonly archive: (field: Field) => void
  readonly showCalls: (field: Field) => void
}

/** The fields of a resource in the order that its rows have them. */
export function FieldList({ resource, fields, values, edit, archive, showCalls }: FieldListProps) {
  const { ids, move, said } = useOrder(resource, fields)
  const { handle, item } = useReorder(ids, move)
  const mayMove = useRefusal('owner') === null && fields.length > 1
  const ordered = ids.flatMap((id) => fields.find((field) => field.id === id) ?? [])
  return (
    <>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
      <ol className="field-list" aria-label={`Fields of ${resource.many}`}>
        {ordered.map((field, at) => (
          <li key={field.id} id={field.id} tabIndex={-1} {...item(field.id)}>
            {mayMove && <MoveHandle name={field.label} at={at} of={ordered.length} {...handle(field.id)} />}
            <FieldSummary field={field} />
            <Text size="sm" c="dimmed" className="field-count">
              {values ? rowsText(resource, values[field.id] ?? 0) : ' '}
            </Text>
            <div className="row-actions">
              <Button
                size="xs"
                variant="subtle"
                onClick={() => showCalls(field)}
                aria-label={`API calls of ${field.label}`}
              >
                API calls
              </Button>
              <AllowedButton
                needs="owner"
                size="xs"
                variant="default"
                onClick={() => edit(field)}
                aria-label={`Edit ${field.label}`}
              >
                Edit
              </AllowedButton>
              <AllowedButton
                needs="owner"
                size="xs"
                variant="default"
                onClick={() => archive(field)}
                aria-label={`Archive ${field.label}`}
              >
                Archive
              </AllowedButton>
            </div>
          </li>
        ))}
      </ol>
    </>
  )
}

/** The fields of a resource that are not archived. */
export const liveFields = (all: readonly Field[], { name }: Resource): readonly Field[] =>
  all.filter((one) => one.resource === name && one.archived_at === null)

/** "3 projects have a value" */
export function rowsText({ one, many }: Resource, count: number): string {
  if (count === 0) return `No ${one} has a value`
  return count === 1 ? `1 ${one} has a value` : `${count.toLocaleString('en')} ${many} have a value`
}

function FieldSummary({ field }: { readonly field: Field }) {
  const { label, name, type, description, required, indexed, choices, transitions, initial } = field
  return (
    <div className="field-summary">
      <div className="field-name">
        <span className="strong" dir="auto">
          {label}
        </span>
        <Code>{name}</Code>
        <Badge color="gray" c="var(--mantine-color-text)">
          {fieldTypes[type].label}
        </Badge>
        {required && (
          <Badge color="gray" c="var(--mantine-color-text)">
            Required
          </Badge>
        )}
        {indexed && (
          <Badge color="gray" c="var(--mantine-color-text)">
            {field.indexed_at === null ? 'Index is being built' : 'Indexed'}
          </Badge>
        )}
      </div>
      {description !== '' && (
        <Text size="sm" c="dimmed" dir="auto">
          {description}
        </Text>
      )}
      {choices && <Choices choices={choices} />}
      {choices && transitions && (
        <Disclosure label="Show states" openLabel="Hide states" icon="activity">
          <StateGraph
            states={choices.map((choice) => ({ ...choice, key: choice.value }))}
            transitions={transitions}
            initial={initial ?? ''}
          />
        </Disclosure>
      )}
    </div>
  )
}

/** The order as the person sees it at once. The server is told of the last one; the order that it keeps is shown once all is sent. */
function useOrder(resource: Resource, fields: readonly Field[]) {
  const [wanted, setWanted] = useState<readonly string[] | null>(null)
  const [said, setSaid] = useState('')
  const newest = useRef(wanted)
  const sent = useRef(Promise.resolve())
  const send = useSend()
  // What the page has passed on may be older, for a moment.
  const { data: all = fields } = useAnswer<readonly Field[]>('/fields')
  const ids = wanted ?? liveFields(all, resource).map(({ id }) => id)
  const save = async (next: readonly string[]) => {
    if (newest.current !== next) return
    try {
      await send('POST', '/fields/order', { resource: resource.name, ids: next })
    } catch (error) {
      showFailure('Could not move the field', error)
    }
    if (newest.current !== next) return
    await refreshFields()
    if (newest.current === next) setWanted(null)
  }
  const move = (next: readonly string[]) => {
    const moved = next.find((id, at) => id !== ids[at]) ?? ''
    setSaid(`${fields.find(({ id }) => id === moved)?.label}: ${next.indexOf(moved) + 1} of ${next.length}`)
    setWanted(next)
    newest.current = next
    sent.current = sent.current.then(() => save(next))
  }
  return { ids, move, said }
}

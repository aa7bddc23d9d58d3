import { Code, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { Field, FieldValues } from '../api-types.ts'
import { AllowedButton } from '../parts/allowed-button.tsx'
import { Panel } from '../parts/panel.tsx'
import { dropUndo, showFailure, showUndo } from '../parts/toasts.tsx'
import { dayMs, When } from '../parts/when.tsx'
import { useResources } from '../rows/resources.ts'
import { capitalized } from '../rows/words.ts'
import { useSend } from '../session.tsx'
import { refreshFields } from './field-dialog.tsx'
import { rowsText } from './field-list.tsx'

interface ArchivedFieldsProps {
  readonly fields: readonly Field[]
  readonly values: FieldValues | undefined
}

const keptMs = 30 * dayMs

/** Those that can still be restored. */
export function ArchivedFields({ fields, values }: ArchivedFieldsProps) {
  const archived = fields.filter(({ archived_at }) => archived_at !== null)
  const resources = useResources()
  const send = useSend()
  const [restored, setRestored] = useState<string | null>(null)
  // Its button goes, and with it the focus.
  useEffect(() => {
    if (!fields.some(({ id, archived_at }) => id === restored && archived_at === null)) return
    document.getElementById(restored ?? '')?.focus()
    setRestored(null)
  }, [fields, restored])
  const restore = (field: Field) => {
    send('POST', `/fields/${field.id}/restore`)
      .then(() => setRestored(field.id))
      .then(refreshFields)
      .then(
        () => {
          dropUndo(field.id)
          showUndo(`${field.label} is restored.`, null)
        },
        (error: unknown) => showFailure(`Could not restore ${field.label}`, error),
      )
  }
  if (archived.length === 0) return null
  return (
    <Panel
      title="Archived"
      lead="Their values are kept for 30 days. Then they are deleted, and the name is free again."
    >
      <ul className="field-list" aria-label="Archived fields">
        {archived.map((field) => {
          const resource = resources.find(({ name }) => name === field.resource)
          return (
            <li key={field.id}>
              <div className="field-summary">
                <div className="field-name">
                  <span className="strong" dir="auto">
                    {field.label}
                  </span>
                  <Code>{field.name}</Code>
                  {resource && <Text size="sm">{capitalized(resource.many)}</Text>}
                </div>
                <Text size="sm" c="dimmed">
                  {resource && values && `${rowsText(resource, values[field.id] ?? 0)}. `}
                  Deleted on <When at={new Date(Date.parse(field.archived_at ?? '') + keptMs).toISOString()} as="day" />
                  .
                </Text>
              </div>
              <div className="row-actions">
                <AllowedButton
                  needs="owner"
                  size="xs"
                  variant="default"
                  onClick={() => restore(field)}
                  aria-label={`Restore ${field.label}`}
                >
                  Restore
                </AllowedButton>
              </div>
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}

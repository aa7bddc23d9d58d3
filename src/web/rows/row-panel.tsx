import { Group } from '@mantine/core'
import { getRow, isFailure, type Versioned } from '../api.ts'
import type { Resource, Row } from '../api-types.ts'
import { AllowedButton } from '../parts/allowed-button.tsx'
import { Fact } from '../parts/fact.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { useAnswer } from '../session.tsx'
import { SidePanel } from '../table/side-panel.tsx'
import { ApiCall } from './api-call.tsx'
import { childrenOf, nameOf, selectOf, useResources } from './resources.ts'
import { CountLink, inOrder, viewIn } from './row-columns.tsx'
import { capitalized } from './words.ts'

interface RowPanelProps {
  readonly resource: Resource
  readonly id: string
  readonly edit: (row: Row) => void
  readonly remove: (row: Row) => void
  readonly close: () => void
}

/** All of one row, whether it is on this page of the table or not. */
export function RowPanel({ resource, id, edit, remove, close }: RowPanelProps) {
  const resources = useResources()
  const path = `${resource.name}?${resource.primary_key}=eq.${encodeURIComponent(id)}`
  const found = useAnswer<Versioned<Row> | null>(`/rest/${path}&select=${selectOf(resource, resources)}`, {}, getRow)
  const row = found.data?.row
  return (
    <SidePanel
      title={row ? nameOf(resource, row) : capitalized(resource.one)}
      close={close}
      actions={
        row &&
        !resource.read_only && (
          <Group gap="xs">
            <AllowedButton needs="developer" size="xs" variant="default" onClick={() => edit(row)}>
              Edit
            </AllowedButton>
            <AllowedButton needs="developer" size="xs" variant="default" onClick={() => remove(row)}>
              Delete
            </AllowedButton>
          </Group>
        )
      }
    >
      {isFailure(found.error, '22P02') ? (
        // What is no id names no row.
        <p>There is no such {resource.one}.</p>
      ) : (
        <Loaded query={found} what={`the ${resource.one}`}>
          {() => (row ? <Facts resource={resource} row={row} /> : <p>There is no such {resource.one}.</p>)}
        </Loaded>
      )}
      {row && <ApiCall method="GET" path={path} />}
    </SidePanel>
  )
}

function Facts({ resource, row }: { readonly resource: Resource; readonly row: Row }) {
  const children = childrenOf(resource, useResources())
  return (
    <dl className="facts panel-facts">
      {inOrder(resource)
        .filter(({ name }) => name !== resource.naming_column)
        .map((column) => {
          const { Cell } = viewIn(resource, column)
          return (
            <Fact key={column.name} name={column.label}>
              <Cell column={column} row={row} />
            </Fact>
          )
        })}
      {children.map((reference) => (
        <Fact key={`${reference.from.name} ${reference.column.name}`} name={capitalized(reference.from.many)}>
          <CountLink resource={resource} reference={reference} row={row} />
        </Fact>
      ))}
    </dl>
  )
}

import { useState } from 'react'
import type { Column, Resource } from '../api-types.ts'
import { AllowedButton } from '../parts/allowed-button.tsx'
import { DownloadButton } from '../parts/download-button.tsx'
import { referencesIn, useResources } from '../rows/resources.ts'
import { apiPath, useHere } from '../session.tsx'
import { ImportDialog } from './import-dialog.tsx'

interface TransferActionsProps {
  readonly resource: Resource
  /** What the table shows: `select=*&project_name=ilike.*a*&order=id&limit=20` */
  readonly query: string
  /** Why its rows cannot be exported. */
  readonly refusal: string | null
}

/** Takes rows out as a file, and brings them in. */
export function TransferActions({ resource, query, refusal }: TransferActionsProps) {
  const { company } = useHere()
  const [isImporting, setImporting] = useState(false)
  const exported = exportQuery(resource, useResources(), query)
  return (
    <>
      <DownloadButton href={apiPath(company.id, `/export/${resource.name}?${exported}`)} because={refusal}>
        Export
      </DownloadButton>
      {!resource.read_only && (
        <AllowedButton needs="developer" variant="default" onClick={() => setImporting(true)}>
          Import
        </AllowedButton>
      )}
      {isImporting && <ImportDialog resource={resource} close={() => setImporting(false)} />}
    </>
  )
}

/** All rows of the table and not only a page; beside the key of another row, its name. */
function exportQuery(resource: Resource, resources: readonly Resource[], query: string): string {
  const wanted = new URLSearchParams(query)
  const names = referencesIn(resources)
    .filter(({ from }) => from === resource)
    .map(({ column, to }) => `...${column.name}(${nameKeyOf(column)}:${to.naming_column})`)
  wanted.set('select', ['*', ...names].join(','))
  wanted.delete('limit')
  wanted.delete('offset')
  return wanted.toString()
}

/** `bid_id` → bid */
const nameKeyOf = ({ name }: Column): string => (name.endsWith('_id') ? name.slice(0, -3) : `${name}_name`)

import { getRows, type RowPage } from '../api.ts'
import type { Credential, Member, Row } from '../api-types.ts'
import { Id, NoValue, Plain } from '../columns/cells.tsx'
import type { CellProps, ColumnView } from '../columns/column-view.ts'
import { useAnswer, useLink } from '../session.tsx'
import { nameOf, useResources } from './resources.ts'

/** Events tell of rows, credentials and people by their ids: people read their names. What the type says is not repeated. */
export const eventViews: Readonly<Record<string, Partial<ColumnView>>> = {
  row_id: { Cell: ChangedRow, isId: false, isWide: true },
  actor_id: { Cell: Actor },
  actor_kind: { isExtra: true },
  resource: { isExtra: true },
  id: { isExtra: true },
}

/** The name that the row had, which leads there unless it was deleted. */
function ChangedRow({ row: event }: CellProps) {
  const link = useLink()
  const id = String(event.row_id)
  const resource = useResources().find(({ name }) => name === event.resource)
  if (!resource || !event.row) return <Id id={id} />
  const name = nameOf(resource, event.row as Row)
  if (String(event.type).endsWith('.deleted')) return <Plain text={name} />
  return (
    <a className="clamp link" title={name} dir="auto" {...link(`${resource.path}?open=${id}`)}>
      {name}
    </a>
  )
}

function Actor({ row: event }: CellProps) {
  const isCredential = event.actor_kind === 'credential'
  const known = { staleTime: 60_000 }
  const credentials = useAnswer<RowPage<Credential>>('/credentials', { ...known, enabled: isCredential }, getRows)
  const members = useAnswer<readonly Member[]>('/members', { ...known, enabled: event.actor_kind === 'person' })
  const link = useLink()
  const id = event.actor_id === null ? null : String(event.actor_id)
  if (id === null) return event.actor_kind === 'operator' ? 'Operator' : <NoValue />
  const person = members.data?.find(({ person_id }) => person_id === id)
  if (person) return <Plain text={person.name} />
  const credential = credentials.data?.rows.find((one) => one.id === id)
  if (!credential) return <Id id={id} />
  return (
    <a className="clamp link" title={credential.name} dir="auto" {...link(`/credentials/${id}`)}>
      {credential.name}
    </a>
  )
}

import { Code, Group } from '@mantine/core'
import type { AuditEvent } from '../api-types.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { Fact } from '../parts/fact.tsx'
import { When } from '../parts/when.tsx'
import { choiceKind, dayKind, type FilterKind } from '../table/filter.ts'
import { SidePanel } from '../table/side-panel.tsx'
import type { TableColumn } from '../table/table-column.ts'
import { actions, detailsText } from './actions.ts'

const containsKind: FilterKind = { input: 'text', operators: ['has'] }

export const eventColumns: readonly TableColumn<AuditEvent>[] = [
  { id: 'what', header: 'What', cell: (event) => <Sentence event={event} />, isWide: true },
  {
    id: 'details',
    header: 'Details',
    cell: ({ details }) => <Cut text={detailsText(details)} />,
    isWide: true,
    isSpare: true,
  },
  {
    id: 'created_at',
    header: 'When',
    cell: ({ created_at }) => <When at={created_at} />,
    firstOrder: 'desc',
    filter: dayKind,
  },
  { id: 'address', header: 'From', cell: ({ address }) => address ?? '–' },
  { id: 'actor', header: 'Who', cell: ({ actor }) => <Cut text={actor} />, filter: containsKind, isExtra: true },
  {
    id: 'action',
    header: 'Action',
    cell: ({ action }) => <Code>{action}</Code>,
    filter: choiceKind(Object.entries(actions).map(([value, label]) => ({ value, label }))),
    isExtra: true,
  },
  {
    id: 'target',
    header: 'To what',
    cell: ({ target }) => <Cut text={target} />,
    filter: containsKind,
    isExtra: true,
    isWide: true,
  },
  {
    id: 'user_agent',
    header: 'With',
    cell: ({ user_agent }) => <Cut text={user_agent ?? ''} />,
    isExtra: true,
    isWide: true,
  },
]

const Cut = ({ text }: { readonly text: string }) => (
  <span className="clamp" title={text} dir="auto">
    {text === '' ? '–' : text}
  </span>
)

/** "Ada revoked the credential Nightly report" */
function Sentence({ event: { actor, action, target } }: { readonly event: AuditEvent }) {
  const words = actions[action] ?? action
  return (
    <span className="clamp" title={`${actor} ${words} ${target === actor ? '' : target}`.trim()}>
      <bdi className="strong">{actor}</bdi> {words} {target !== actor && <bdi className="strong">{target}</bdi>}
    </span>
  )
}

interface EventPanelProps {
  readonly event: AuditEvent
  readonly close: () => void
}

/** All that was noted of one change. */
export function EventPanel({ event, close }: EventPanelProps) {
  const { actor, action, target, created_at, address, user_agent, request_id, details } = event
  const noted = Object.entries(details ?? {}).filter(([, value]) => value !== null && value !== '')
  return (
    <SidePanel title={`${actor} ${actions[action] ?? action} ${target === actor ? '' : target}`} close={close}>
      <dl className="facts panel-facts">
        <Fact name="When">
          <When at={created_at} as="exact" />
        </Fact>
        <Fact name="Who">
          <bdi className="wrap">{actor}</bdi>
        </Fact>
        <Fact name="Action">
          <Code>{action}</Code>
        </Fact>
        <Fact name="To what">
          <bdi className="wrap">{target}</bdi>
        </Fact>
        {noted.map(([name, value]) => (
          <Fact key={name} name={name.replaceAll('_', ' ')}>
            <span className="wrap">{typeof value === 'string' ? value : JSON.stringify(value)}</span>
          </Fact>
        ))}
        <Fact name="From">{address ?? 'the command line'}</Fact>
        {user_agent && (
          <Fact name="With">
            <span className="wrap">{user_agent}</span>
          </Fact>
        )}
        {request_id && (
          <Fact name="Request">
            <Group gap={4} wrap="nowrap">
              <Code className="wrap">{request_id}</Code>
              <CopyButton label="Copy the request id" text={request_id} iconOnly variant="subtle" />
            </Group>
          </Fact>
        )}
      </dl>
    </SidePanel>
  )
}

import { Alert, Anchor, Code, Group, Paper, Stack, Text } from '@mantine/core'
import { Suspense, useEffect, useRef, useState } from 'react'
import type { Overview } from '../api-types.ts'
import { sumOf } from '../charts/bars.tsx'
import { CreateDialog, LatestRequests, QuickStart, RequestsPanel } from '../later-pages.ts'
import { Icon } from '../parts/icons.tsx'
import { Loaded, Outline } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { refresh } from '../queries.ts'
import { useResources } from '../rows/resources.ts'
import { capitalized } from '../rows/words.ts'
import { useAnswer, useHere, useLink } from '../session.tsx'
import { store, useStored } from '../stored.ts'

export function OverviewPage() {
  const { company } = useHere()
  const [isCreating, setCreating] = useState(false)
  const overview = useAnswer<Overview>('/overview', {
    // Whoever waits for the first request looks at the screen; later, a glance now and then is enough.
    refetchInterval: ({ state }) => (hasWorked(state.data) ? 10_000 : 1_500),
  })
  return (
    <Page
      title="Overview"
      lead={
        <>
          What happens with the API of <bdi>{company.name}</bdi>.
        </>
      }
    >
      <Loaded query={overview} what="the overview" lines={6}>
        {(found) => <Body overview={found} create={() => setCreating(true)} />}
      </Loaded>
      <Suspense>{isCreating && <CreateDialog close={() => setCreating(false)} />}</Suspense>
    </Page>
  )
}

const hasWorked = (overview: Overview | undefined): boolean => overview?.last_request?.outcome === 'ok'

/** A newcomer needs the quick start first; later it makes room for what happens. */
function Body({ overview, create }: { readonly overview: Overview; readonly create: () => void }) {
  const [wasNew] = useState(overview.days.every((day) => day.ok === 0))
  const requests = requestsIn(overview)
  useFreshChart(requests)
  const quickStart = <QuickStart overview={overview} isNew={wasNew} create={create} />
  return (
    <Stack>
      <Counts overview={overview} />
      <NotScopedNotice overview={overview} />
      <Suspense fallback={<Outline lines={8} />}>
        {wasNew && quickStart}
        <RequestsPanel none="No request has come" isUsed={requests > 0} />
        {!wasNew && <LatestRequests expected={requests} />}
        {!wasNew && quickStart}
      </Suspense>
    </Stack>
  )
}

const requestsIn = ({ days }: Overview): number => days.reduce((sum, day) => sum + sumOf(day), 0)

/** The chart changes with the number above it, instead of some seconds later. */
function useFreshChart(requests: number): void {
  const shown = useRef(requests)
  useEffect(() => {
    if (shown.current !== requests) void refresh('/usage')
    shown.current = requests
  }, [requests])
}

function Counts({ overview }: { readonly overview: Overview }) {
  const { credentials, rows } = overview
  const link = useLink()
  const counts = [
    { label: 'Credentials', to: '/credentials', count: credentials },
    ...useResources().flatMap(({ name, many, path }) => {
      const count = rows[name]
      return count === undefined ? [] : [{ label: capitalized(many), to: path, count }]
    }),
    { label: 'Requests in 30 days', to: '/requests', count: requestsIn(overview) },
  ]
  return (
    <div className="counts">
      {counts.map(({ label, to, count }) => (
        <Paper key={label} withBorder p="md" className="panel">
          <Text size="sm" c="dimmed">
            <Anchor underline="hover" {...link(to)}>
              {label}
            </Anchor>
          </Text>
          <Text fz={28} fw={650} className="number">
            {count.toLocaleString('en')}
          </Text>
        </Paper>
      ))}
    </div>
  )
}

/** The silent `[]` is the hardest mistake to find, so it is said out loud. */
function NotScopedNotice({ overview: { days, not_scoped } }: { readonly overview: Overview }) {
  const link = useLink()
  const key = `not scoped ${useHere().company.id}`
  const read = Number(useStored(key))
  const total = days.reduce((sum, day) => sum + day.not_scoped, 0)
  const others = not_scoped.credentials - not_scoped.most.length
  // Once read, it comes back with the next such request.
  if (total <= read) return null
  return (
    <Alert
      color="orange"
      icon={<Icon name="warning" />}
      withCloseButton
      closeButtonLabel="Dismiss"
      onClose={() => store(key, String(total))}
      title={`${total.toLocaleString('en')} ${total === 1 ? 'request' : 'requests'} got [] because the secret was missing or wrong`}
    >
      <Text size="sm" mb="xs">
        In the last 30 days. The key was good, but <Code>X-API-Secret</Code> did not belong to it:
      </Text>
      <Group gap="md">
        {not_scoped.most.map(({ credential_id, name, requests }) => (
          <Text key={credential_id} size="sm">
            <Anchor size="sm" c="inherit" dir="auto" {...link(`/credentials/${credential_id}`)}>
              {name}
            </Anchor>
            : {requests.toLocaleString('en')}
          </Text>
        ))}
        {others > 0 && (
          <Anchor size="sm" c="inherit" {...link('/requests?outcome=not_scoped')}>
            and {others.toLocaleString('en')} more
          </Anchor>
        )}
      </Group>
    </Alert>
  )
}

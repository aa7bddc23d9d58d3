import { Alert, Anchor, Code, Group, Stack, Text } from '@mantine/core'
import type { LoggedRequest } from '../api-types.ts'
import { CodeBlock } from '../parts/code-block.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { curlOf } from '../parts/curl.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Fact } from '../parts/fact.tsx'
import { Icon } from '../parts/icons.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { msText } from '../parts/ms-text.ts'
import { When } from '../parts/when.tsx'
import { useSetup } from '../queries.ts'
import { useResources } from '../rows/resources.ts'
import { useAnswer, useLink } from '../session.tsx'
import { readablePath } from './readable-path.ts'
import { isRequestId, noRequestId } from './request-id.ts'
import { leftOutText, StatusBadge } from './request-table.tsx'

interface RequestDialogProps {
  readonly id: string
  readonly close: () => void
}

/** All that is known of one request, and how to fix it. */
export function RequestDialog({ id, close }: RequestDialogProps) {
  return (
    <Dialog title="Request" close={close} size="lg">
      {isRequestId(id) ? (
        <Found id={id} />
      ) : (
        <Text>{noRequestId} Every answer has its own in the header X-Request-Id.</Text>
      )}
    </Dialog>
  )
}

function Found({ id }: Pick<RequestDialogProps, 'id'>) {
  const found = useAnswer<LoggedRequest>(`/requests/${id}`)
  return (
    <Loaded query={found} what="the request">
      {(request) => <Details request={request} />}
    </Loaded>
  )
}

function Details({ request }: { readonly request: LoggedRequest }) {
  const link = useLink()
  const { id, at, credential_id, credential_name, method, path, ms, address, user_agent, left_out, outcome } = request
  return (
    <Stack>
      <Advice request={request} />
      <dl className="facts">
        <Fact name="Request">
          <Code className="wrap">
            {method} {readablePath(path)}
          </Code>
        </Fact>
        <Fact name="Answer">
          <StatusBadge request={request} />{' '}
          <Text span size="sm">
            after {msText(ms)}
          </Text>
        </Fact>
        <Fact name="When">
          <When at={at} as="exact" />
          {left_out > 0 && (
            <Text size="sm" c="dimmed">
              {leftOutText(left_out, outcome)} {left_out === 1 ? 'is' : 'are'} counted, but not kept.
            </Text>
          )}
        </Fact>
        <Fact name="Credential">
          <Anchor size="sm" dir="auto" {...link(`/credentials/${credential_id}`)}>
            {credential_name}
          </Anchor>
        </Fact>
        <Fact name="From">
          {address ?? 'unknown'}
          {user_agent && (
            <Text size="sm" c="dimmed" className="wrap">
              {user_agent}
            </Text>
          )}
        </Fact>
        <Fact name="Request id">
          <Group gap="xs" wrap="nowrap">
            <Code className="wrap">{id}</Code>
            <CopyButton label="Copy request id" text={id} iconOnly />
          </Group>
        </Fact>
      </dl>
      <Repeat request={request} />
    </Stack>
  )
}

function Advice({ request: { outcome, code, message, hint, status } }: { readonly request: LoggedRequest }) {
  const tables = useResources().map(({ name }) => name)
  if (outcome === 'ok') return null
  // The message to a request with a body may quote the body, so it is not kept.
  const title = message ?? `Refused with ${status}`
  // Like PostgREST, the API has no hint for a name that is like none of its own.
  const fix = hint ?? (code === 'PGRST205' ? `Ask for one of ${tables.join(', ')}.` : null)
  return (
    <Alert
      color={outcome === 'refused' ? 'red' : 'orange'}
      icon={<Icon name="warning" />}
      title={
        <>
          {title} {code !== null && <Code>{code}</Code>}
        </>
      }
    >
      {fix === null ? null : (
        <Text size="sm" className="wrap">
          <strong>How to fix it:</strong> {fix}
        </Text>
      )}
    </Alert>
  )
}

const bodies = ['POST', 'PATCH', 'PUT']

/** The same request for a shell. */
function Repeat({ request: { method, path } }: { readonly request: LoggedRequest }) {
  const { data: setup } = useSetup()
  const hasBody = bodies.includes(method)
  const notes = [
    hasBody && 'Bodies are not kept: put yours into body.json.',
    path.includes('…') && 'What was long or secret is left out of the address: fill in where it has …',
  ].filter((note) => note !== false)
  const url = (setup?.base_url ?? location.origin) + path
  return (
    <div>
      <Text fw={600} mb={4}>
        Send it again
      </Text>
      <Text size="sm" c="dimmed" mb="xs">
        {['With PROJECT_API_KEY and PROJECT_API_SECRET in the environment.', ...notes].join(' ')}
      </Text>
      <CodeBlock label="curl command" text={curlOf({ method, url, data: hasBody ? '@body.json' : undefined })} />
    </div>
  )
}

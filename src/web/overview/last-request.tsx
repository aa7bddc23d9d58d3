import { Anchor, Code, Loader, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { LastRequest } from '../api-types.ts'
import { Icon } from '../parts/icons.tsx'
import { When } from '../parts/when.tsx'
import { useLink } from '../session.tsx'

/** Says by itself when a request arrives, and what was wrong with one that did not get through. */
export function LastRequestNotice({ request }: { readonly request: LastRequest | null }) {
  return (
    <div className="last-request" data-outcome={request?.outcome ?? 'none'} role="status">
      {request ? <Arrived request={request} /> : <Waiting />}
    </div>
  )
}

function Waiting() {
  return (
    <>
      <Loader size="sm" type="dots" aria-hidden="true" />
      <div>
        <Text fw={600}>Waiting for the first request…</Text>
        <Text size="sm">Run the snippet. This turns green by itself.</Text>
      </div>
    </>
  )
}

function Arrived({ request }: { readonly request: LastRequest }) {
  const link = useLink()
  const isOk = request.outcome === 'ok'
  const { title, advice } = explain(request)
  return (
    <>
      <Icon name={isOk ? 'check' : 'warning'} size={24} />
      <div>
        <Text fw={600}>{title}</Text>
        <Text size="sm">
          <Code>
            {request.method} → {request.status}
          </Code>{' '}
          <When at={request.at} />
          {request.credential_id && (
            <>
              {' '}
              with{' '}
              <Anchor size="sm" c="inherit" dir="auto" {...link(`/credentials/${request.credential_id}`)}>
                {request.credential_name}
              </Anchor>
            </>
          )}
          . {advice}
        </Text>
      </div>
    </>
  )
}

interface Explanation {
  readonly title: string
  readonly advice: ReactNode
}

const secretAdvice = (
  <>
    Send the secret that belongs to this key in the header <Code>X-API-Secret</Code>.
  </>
)

const explanations: Readonly<Record<string, Explanation>> = {
  secret_missing: { title: 'A request came without its secret', advice: secretAdvice },
  secret_mismatch: { title: 'A request came with a wrong secret', advice: secretAdvice },
  '42501': { title: 'A write was refused: its secret was missing or wrong', advice: secretAdvice },
  invalid_api_key: {
    title: 'A request came with a key that does not work',
    advice: (
      <>
        The key in <Code>apikey</Code> is expired, revoked or mistyped, or <Code>Authorization</Code> carries another
        one.
      </>
    ),
  },
  secret_in_browser: {
    title: 'A secret was sent from a browser, and refused',
    advice: 'Whoever opens that page can read it. Call the API from a server, and rotate this secret.',
  },
  insufficient_scope: {
    title: 'A write was refused: the credential may only read',
    advice: 'Use a credential with read-write access.',
  },
}

function explain({ outcome, status, code }: LastRequest): Explanation {
  if (outcome === 'ok') return { title: 'It works: a request arrived', advice: null }
  const known = code === null ? undefined : explanations[code]
  if (known) return known
  if (outcome === 'not_scoped') {
    return { title: 'A request got [] because its secret was missing or wrong', advice: secretAdvice }
  }
  return { title: `A request was refused${code === null ? '' : ` with ${code}`}`, advice: `Its status was ${status}.` }
}

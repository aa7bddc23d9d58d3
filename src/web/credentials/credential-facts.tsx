import { Code, Group, Text } from '@mantine/core'
import type { Credential } from '../api-types.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { Fact } from '../parts/fact.tsx'
import { When } from '../parts/when.tsx'
import { capitalized } from '../rows/words.ts'
import { useDataText } from './data-text.ts'
import { AccessBadge, Expiry, LastUsed, StateBadge } from './marks.tsx'
import { rateText } from './rate-field.tsx'

/** All that is known of a credential, as one list. */
export function CredentialFacts({ credential }: { readonly credential: Credential }) {
  const { api_key, resources, addresses, rate_limit, created_at, created_by, revoked_at, exposed_at, last_used } =
    credential
  const dataText = useDataText()
  return (
    <dl className="facts">
      <Fact name="Key">
        <Group gap="xs">
          <Code className="wrap">{api_key}</Code>
          <CopyButton label="Copy key" text={api_key} iconOnly />
        </Group>
      </Fact>
      <Fact name="State">
        <StateBadge credential={credential} />
      </Fact>
      <Fact name="Access">
        <AccessBadge credential={credential} />
      </Fact>
      <Fact name="Data">{resources ? capitalized(dataText(resources)) : 'All'}</Fact>
      <Fact name="Addresses">
        <span className="wrap">{addresses?.join(', ') ?? 'All'}</span>
      </Fact>
      <Fact name="Rate limit">{rate_limit === null ? 'None of its own' : rateText(rate_limit)}</Fact>
      <Fact name="Created">
        <When at={created_at} as="day" />
        {created_by && ` by ${created_by}`}
      </Fact>
      <Fact name="Expires">
        <Expiry credential={credential} />
      </Fact>
      <Fact name="Last used">
        <LastUsed at={last_used?.at ?? null} />
        {last_used && (
          <Text size="sm" c="dimmed" className="wrap">
            {[last_used.address && `from ${last_used.address}`, last_used.user_agent].filter(Boolean).join(', ')}
          </Text>
        )}
      </Fact>
      {exposed_at && (
        <Fact name="Seen in a browser">
          <When at={exposed_at} />
        </Fact>
      )}
      {revoked_at && (
        <Fact name="Revoked">
          <When at={revoked_at} />
        </Fact>
      )}
    </dl>
  )
}

import { Checkbox, SimpleGrid, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Webhook } from '../api-types.ts'
import type { ErrorAt, Fields } from '../parts/field-errors.ts'
import { useSend } from '../session.tsx'
import { conditionInWords } from './condition-in-words.ts'

/** What a person says of a webhook. */
export interface WebhookDraft {
  readonly url: string
  /** None: all. */
  readonly types: readonly string[]
  readonly filter: string
}

export const webhookFields: Fields = { url: 'URL', types: 'Events', filter: 'Condition' }

export function useWebhookDraft(webhook: Webhook | null) {
  const [draft, setDraft] = useState<WebhookDraft>({
    url: webhook?.url ?? '',
    types: webhook?.types ?? [],
    filter: webhook?.filter ?? '',
  })
  const change = (changes: Partial<WebhookDraft>) => setDraft((before) => ({ ...before, ...changes }))
  return { draft, change }
}

/** Sends a draft. What is wrong with it is said in words for people. */
export function useSendDraft() {
  const send = useSend()
  return <Answer,>(method: 'POST' | 'PATCH', path: string, draft: WebhookDraft): Promise<Answer> =>
    send<Answer>(method, path, draft).catch((error: unknown) => {
      throw conditionInWords(error)
    })
}

interface WebhookFieldsProps extends ReturnType<typeof useWebhookDraft> {
  /** Those that there are. */
  readonly types: readonly string[]
  readonly errorAt: ErrorAt
}

export function WebhookFields({ draft, change, types, errorAt }: WebhookFieldsProps) {
  return (
    <>
      <TextInput
        label="URL"
        description="An https address that is reachable from the internet."
        placeholder="https://example.com/webhooks"
        required
        withAsterisk={false}
        type="url"
        maxLength={2000}
        autoComplete="off"
        data-autofocus
        value={draft.url}
        onChange={(event) => change({ url: event.currentTarget.value })}
        {...errorAt('url')}
      />
      <Checkbox.Group
        label="Events"
        description="Choose none to receive all, also those that come later."
        value={[...draft.types]}
        onChange={(chosen) => change({ types: chosen })}
        {...errorAt('types')}
      >
        <SimpleGrid cols={{ base: 1, xs: 2 }} mt={6} spacing="xs">
          {types.map((type) => (
            <Checkbox key={type} value={type} label={type} />
          ))}
        </SimpleGrid>
      </Checkbox.Group>
      <TextInput
        label="Condition"
        description="Only events whose row meets it, written as in a URL of the API. Empty for all."
        placeholder="project_name=like.A*"
        maxLength={2000}
        autoComplete="off"
        spellCheck={false}
        classNames={{ input: 'mono' }}
        value={draft.filter}
        onChange={(event) => change({ filter: event.currentTarget.value })}
        {...errorAt('filter')}
      />
    </>
  )
}

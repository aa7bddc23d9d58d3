import { NativeSelect, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { getRows, type RowPage } from '../api.ts'
import type { Credential, Overview } from '../api-types.ts'
import { AllowedButton } from '../parts/allowed-button.tsx'
import { Disclosure } from '../parts/disclosure.tsx'
import { Icon } from '../parts/icons.tsx'
import { Panel } from '../parts/panel.tsx'
import { Snippets } from '../parts/snippets.tsx'
import { useSetup } from '../queries.ts'
import { useAnswer } from '../session.tsx'
import { LastRequestNotice } from './last-request.tsx'

interface QuickStartProps {
  readonly overview: Overview
  /** Whether nothing has worked yet when the page was opened. */
  readonly isNew: boolean
  readonly create: () => void
}

/** From nothing to the first answer, in three steps that tick themselves off. */
export function QuickStart({ overview, isNew, create }: QuickStartProps) {
  const { data: setup } = useSetup()
  const { data: credentials } = useAnswer<RowPage<Credential>>('/credentials', {}, getRows)
  const active = (credentials?.rows ?? []).filter(({ state }) => state === 'active')
  const [chosen, setChosen] = useState<string | null>(null)
  const credential = active.find(({ id }) => id === chosen) ?? active[0]
  const isDone = overview.last_request?.outcome === 'ok'
  const steps = (
    <ol className="steps">
      <Step number={1} isDone={credential !== undefined} title="Create a credential">
        {credential ? (
          active.length > 1 && (
            <NativeSelect
              label="Credential for the snippets"
              data={active.map(({ id, name }) => ({ value: id, label: name }))}
              value={credential.id}
              onChange={(event) => setChosen(event.currentTarget.value)}
              maw={320}
            />
          )
        ) : (
          <Stack gap="xs" align="flex-start">
            <Text size="sm">A key and a secret that let one application in.</Text>
            <AllowedButton needs="developer" onClick={create} leftSection={<Icon name="plus" />}>
              Create a credential
            </AllowedButton>
          </Stack>
        )}
      </Step>
      <Step number={2} isDone={isDone} title="Send a request">
        <Text size="sm" mb="xs">
          Put the secret into the environment as PROJECT_API_SECRET, then run this:
        </Text>
        <Snippets base={setup?.base_url ?? location.origin} apiKey={credential?.api_key ?? 'pak_…'} secret={null} />
      </Step>
      {isNew && (
        <Step number={3} isDone={isDone} title="See it arrive">
          <LastRequestNotice request={overview.last_request} />
        </Step>
      )}
    </ol>
  )
  if (isNew)
    return (
      <Panel title="Quick start" lead="Call the API from your own program.">
        {steps}
      </Panel>
    )
  return (
    <Panel title="Quick start" lead="Done: your programs call the API.">
      <Disclosure label="Show the steps" openLabel="Hide the steps" icon="check">
        {steps}
      </Disclosure>
    </Panel>
  )
}

interface StepProps {
  readonly number: number
  readonly isDone: boolean
  readonly title: string
  readonly children: ReactNode
}

function Step({ number, isDone, title, children }: StepProps) {
  return (
    <li className="step">
      <ThemeIcon radius="xl" size={28} color={isDone ? 'green.9' : 'ink'} variant={isDone ? 'filled' : 'light'}>
        {isDone ? <Icon name="check" size={16} /> : number}
      </ThemeIcon>
      <div className="step-body">
        <Title order={3} size="h5" mb={6}>
          {title}
          {isDone && <span className="visually-hidden"> (done)</span>}
        </Title>
        {children}
      </div>
    </li>
  )
}

import { Paper, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Page } from '../parts/page.tsx'
import { Logo } from '../shell/logo.tsx'
import { OfflineBanner } from '../shell/offline-banner.tsx'

interface SignInFrameProps {
  readonly title: string
  readonly lead?: ReactNode
  readonly below?: ReactNode
  readonly children: ReactNode
}

/** The one small card of the pages before the sign-in. */
export function SignInFrame({ title, lead, below, children }: SignInFrameProps) {
  return (
    <main className="sign-in">
      <OfflineBanner />
      <div className="sign-in-logo">
        <Logo size={36} />
        <Text component="span" fw={650} size="lg">
          Project API
        </Text>
      </div>
      <Paper withBorder p="xl" className="sign-in-card">
        <Page title={title} lead={lead}>
          <Stack>{children}</Stack>
        </Page>
      </Paper>
      {below && (
        <Text size="sm" ta="center" mt="md" component="div">
          {below}
        </Text>
      )}
    </main>
  )
}

import { Paper, Stack, Text, Title } from '@mantine/core'
import { AllowedButton } from '../parts/allowed-button.tsx'
import { Icon } from '../parts/icons.tsx'

/** The empty page teaches what a credential is. */
export function NoCredentials({ create }: { readonly create: () => void }) {
  return (
    <Paper withBorder p="xl" className="panel">
      <Stack align="center" gap="md" py="lg">
        <div className="key-picture" aria-hidden="true">
          <span>pak_… key</span>
          <b>+</b>
          <span>pas_… secret</span>
          <b>→</b>
          <span>your company</span>
        </div>
        <Title order={2} size="h3" ta="center">
          No credentials yet
        </Title>
        <Text ta="center" maw={480} c="dimmed">
          Nothing outside can read your data. A credential lets one application in: its key says which application asks,
          its secret proves it, and together they open the data of this company and no other.
        </Text>
        <AllowedButton needs="developer" onClick={create} leftSection={<Icon name="plus" />}>
          Create your first credential
        </AllowedButton>
      </Stack>
    </Paper>
  )
}

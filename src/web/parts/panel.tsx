import { Group, Paper, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'

interface PanelProps {
  readonly title: string
  readonly lead?: ReactNode
  readonly aside?: ReactNode
  readonly children: ReactNode
}

/** A part of a page with a heading of its own. */
export function Panel({ title, lead, aside, children }: PanelProps) {
  const id = useId()
  return (
    <Paper component="section" aria-labelledby={id} withBorder p="lg" className="panel">
      <Group justify="space-between" align="flex-start" mb="md" gap="sm">
        <div className="page-title">
          <Title order={2} size="h4" id={id}>
            {title}
          </Title>
          {lead && (
            <Text c="dimmed" size="sm" mt={4}>
              {lead}
            </Text>
          )}
        </div>
        {aside}
      </Group>
      {children}
    </Paper>
  )
}

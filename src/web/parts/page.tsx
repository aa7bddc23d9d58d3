import { Group, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { hasNavigated } from '../router.tsx'

interface PageProps {
  readonly title: string
  readonly lead?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A page: its name in the window, its heading with the focus after a link led here, and what can be done on it. */
export function Page({ title, lead, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Project API`
  }, [title])
  useEffect(() => {
    if (!hasNavigated()) return
    heading.current?.focus({ preventScroll: true })
    scrollTo(0, 0)
  }, [])
  return (
    <>
      <Group justify="space-between" align="flex-end" mb="lg" gap="sm">
        <div className="page-title">
          <Title order={1} size="h2" ref={heading} tabIndex={-1}>
            {title}
          </Title>
          {lead && (
            <Text c="dimmed" mt={4}>
              {lead}
            </Text>
          )}
        </div>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </>
  )
}

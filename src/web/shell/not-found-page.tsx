import { Anchor } from '@mantine/core'
import { Page } from '../parts/page.tsx'
import { useLink } from '../session.tsx'

export function NotFoundPage() {
  const link = useLink()
  return (
    <Page title="Page not found">
      There is no page at this address. <Anchor {...link('/')}>Go to the overview</Anchor>.
    </Page>
  )
}

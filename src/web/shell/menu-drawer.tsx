import { Drawer } from '@mantine/core'
import { useHere } from '../session.tsx'
import { Navigation } from './navigation.tsx'

interface MenuDrawerProps {
  readonly isOpen: boolean
  readonly close: () => void
}

/** The navigation, where there is no room for it beside the page. */
export function MenuDrawer({ isOpen, close }: MenuDrawerProps) {
  const { company } = useHere()
  return (
    <Drawer.Root opened={isOpen} onClose={close} size={280}>
      <Drawer.Overlay />
      <Drawer.Content>
        <div className="dialog-header">
          <Drawer.Title className="dialog-title" dir="auto">
            {company.name}
          </Drawer.Title>
          <Drawer.CloseButton aria-label="Close the menu" />
        </div>
        <Drawer.Body>
          <nav aria-label="Main">
            <Navigation />
          </nav>
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  )
}

import { Burger, Button, Drawer, Group } from '@mantine/core'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { Palette } from '../later-pages.ts'
import { Icon } from '../parts/icons.tsx'
import { usePlace } from '../router.tsx'
import { useHere, useLink } from '../session.tsx'
import { CompanySwitcher } from './company-switcher.tsx'
import { EndingBanner } from './ending-banner.tsx'
import { Logo } from './logo.tsx'
import { Navigation } from './navigation.tsx'
import { OfflineBanner } from './offline-banner.tsx'
import { PersonMenu } from './person-menu.tsx'

/** The frame around every page: whose company this is, where one can go, and who is signed in. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const { company } = useHere()
  const { path } = usePlace()
  const link = useLink()
  const [isOpen, setOpen] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever has arrived needs the menu no more.
  useEffect(() => setOpen(false), [path])
  return (
    <div className="shell">
      <a className="skip-link" href="#content">
        Skip to the content
      </a>
      <header className="shell-top">
        <OfflineBanner />
        <EndingBanner />
        <div className="shell-header">
          <Group gap="sm" wrap="nowrap" className="shell-left">
            <span className="narrow-only">
              <Burger opened={isOpen} onClick={() => setOpen(true)} size="sm" aria-label="Open the menu" />
            </span>
            <a {...link('/')} className="logo-link">
              <Logo />
              <span className="logo-name">Project API</span>
            </a>
            <span className="divider" aria-hidden="true" />
            <CompanySwitcher />
          </Group>
          <Group gap="xs" wrap="nowrap">
            <PaletteButton />
            <PersonMenu />
          </Group>
        </div>
      </header>
      <nav className="shell-nav wide-only" aria-label="Main">
        <Navigation />
      </nav>
      <Drawer.Root opened={isOpen} onClose={() => setOpen(false)} size={280}>
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
      <main id="content" className="shell-main" tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}

/** Ctrl+K, or ⌘K, leads anywhere. */
function PaletteButton() {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      if (document.querySelector('[role="dialog"]') === null) setOpen(true)
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
  return (
    <>
      <Button
        variant="subtle"
        color="gray"
        c="var(--mantine-color-text)"
        px="xs"
        aria-label="Go to a page, credential or row"
        aria-keyshortcuts="Control+K Meta+K"
        title="Ctrl+K"
        onClick={() => setOpen(true)}
      >
        <Icon name="search" />
      </Button>
      <Suspense>{isOpen && <Palette close={() => setOpen(false)} />}</Suspense>
    </>
  )
}

import { Burger, Button, Group } from '@mantine/core'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { CompanyMenu, MenuDrawer, Palette, PersonMenu } from '../later-pages.ts'
import { Icon } from '../parts/icons.tsx'
import { usePlace } from '../router.tsx'
import { useLink } from '../session.tsx'
import { CompanyName } from './company-name.tsx'
import { EndingBanner } from './ending-banner.tsx'
import { Logo } from './logo.tsx'
import { Navigation } from './navigation.tsx'
import { OfflineBanner } from './offline-banner.tsx'
import { PersonButton } from './person-button.tsx'

/** The frame around every page: whose company this is, where one can go, and who is signed in. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const { path } = usePlace()
  const link = useLink()
  const [isOpen, setOpen] = useState(false)
  const [isMenuWanted, setMenuWanted] = useState(false)
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
          <div className="shell-left">
            <span className="narrow-only">
              <Burger opened={isOpen} onClick={() => setOpen(true)} size="sm" aria-label="Open the menu" />
            </span>
            <a {...link('/')} className="logo-link">
              <Logo />
              <span className="logo-name">Project API</span>
            </a>
            <span className="divider" aria-hidden="true" />
            <Suspense fallback={<CompanyName />}>
              <CompanyMenu />
            </Suspense>
          </div>
          <Group gap="xs" wrap="nowrap">
            <PaletteButton />
            <Suspense fallback={<PersonButton onClick={() => setMenuWanted(true)} />}>
              <PersonMenu isWanted={isMenuWanted} />
            </Suspense>
          </Group>
        </div>
      </header>
      <nav className="shell-nav wide-only" aria-label="Main">
        <Navigation />
      </nav>
      <Suspense>
        <MenuDrawer isOpen={isOpen} close={() => setOpen(false)} />
      </Suspense>
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

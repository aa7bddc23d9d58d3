import { Anchor } from '@mantine/core'
import type { Session } from '../api-types.ts'
import { linkTo } from '../router.tsx'
import { SessionProvider } from '../session.tsx'
import { Logo } from '../shell/logo.tsx'
import { OfflineBanner } from '../shell/offline-banner.tsx'
import { SignedInAs } from '../sign-in/signed-in-as.tsx'
import { AccountPage } from './account-page.tsx'

interface AccountAlonePageProps {
  readonly session: Session
  /** Where the person came from. */
  readonly back?: { readonly path: string; readonly label: string }
}

/** The account without the frame of a company, for those who cannot see one. */
export function AccountAlonePage({ session, back = { path: '/', label: 'Back' } }: AccountAlonePageProps) {
  return (
    <SessionProvider session={{ ...session, company: null }}>
      <header className="shell-top">
        <OfflineBanner />
        <div className="shell-header">
          <a {...linkTo(back.path)} className="logo-link">
            <Logo />
            <span className="logo-name">Project API</span>
          </a>
          <Anchor {...linkTo(back.path)}>{back.label}</Anchor>
        </div>
      </header>
      <main id="content" className="account-alone">
        <AccountPage />
        <p>
          <SignedInAs person={session.person} />
        </p>
      </main>
    </SessionProvider>
  )
}

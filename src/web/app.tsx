import { Container } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { AccountPage } from './account/account-page.tsx'
import type { Session } from './api-types.ts'
import { ActivityPage } from './company/activity-page.tsx'
import { CompanyPage } from './company/company-page.tsx'
import { MembersPage } from './company/members-page.tsx'
import { CredentialPage } from './credentials/credential-page.tsx'
import { CredentialsPage } from './credentials/credentials-page.tsx'
import { OverviewPage } from './overview/overview-page.tsx'
import { FailureNotice } from './parts/failure-notice.tsx'
import { Loaded, Outline } from './parts/loaded.tsx'
import { Page } from './parts/page.tsx'
import { newCompanyPath, type openPaths, type ownPaths, patternOf } from './paths.ts'
import { useSessionQuery, useSetup } from './queries.ts'
import { linkTo, navigate, usePlace } from './router.tsx'
import { useResourcesQuery } from './rows/resources.ts'
import { RowsPage } from './rows/rows-page.tsx'
import { HereProvider } from './session.tsx'
import { Shell } from './shell/shell.tsx'
import { ForgotPage } from './sign-in/forgot-page.tsx'
import { InvitationPage } from './sign-in/invitation-page.tsx'
import { NewCompanyPage } from './sign-in/new-company-page.tsx'
import { ResetPasswordPage } from './sign-in/reset-password-page.tsx'
import { SignInPage } from './sign-in/sign-in-page.tsx'
import { SignUpPage } from './sign-in/sign-up-page.tsx'

type Pages<Path extends string> = Readonly<Record<Path, (part: string) => ReactNode>>

const openPages: Pages<(typeof openPaths)[number]> = {
  '/sign-in': () => <SignInPage />,
  '/sign-up': () => <SignUpPage />,
  '/forgot': () => <ForgotPage />,
  '/reset-password': () => <ResetPasswordPage />,
  '/invitation/:token': (token) => <InvitationPage token={token} />,
}

/** Every resource has a page besides. */
const ownPages: Pages<(typeof ownPaths)[number]> = {
  '/': () => <OverviewPage />,
  '/credentials': () => <CredentialsPage />,
  '/credentials/:id': (id) => <CredentialPage id={id} />,
  '/members': () => <MembersPage />,
  '/activity': () => <ActivityPage />,
  '/company': () => <CompanyPage />,
  '/account': () => <AccountPage />,
}

export function App() {
  const { path } = usePlace()
  return findPage(openPages, path) ?? <Protected path={path} />
}

function Protected({ path }: { readonly path: string }) {
  const session = useSessionQuery()
  if (session.data) return <SignedIn session={session.data} path={path} />
  if (session.data === null) return <ToSignIn />
  return (
    <Container size="xs" component="main" py="xl">
      {session.error ? (
        <FailureNotice error={session.error} title="Could not open the settings" retry={() => void session.refetch()} />
      ) : (
        <Outline lines={4} />
      )}
    </Container>
  )
}

function SignedIn({ session, path }: { readonly session: Session; readonly path: string }) {
  const { company } = session
  if (path === newCompanyPath || !company) return <NewCompanyPage session={session} />
  return (
    <HereProvider here={{ ...session, company }}>
      <Shell>
        <div key={`${company.id} ${path}`}>{findPage(ownPages, path) ?? <ResourcePage path={path} />}</div>
      </Shell>
    </HereProvider>
  )
}

/** The page of the resource that has this path. */
function ResourcePage({ path }: { readonly path: string }) {
  return (
    <Loaded query={useResourcesQuery()} what="the page">
      {(resources) => {
        const resource = resources.find((one) => one.path === path)
        return resource ? <RowsPage resource={resource} /> : <NotFoundPage />
      }}
    </Loaded>
  )
}

/** A newcomer on a fresh installation makes the first account; everyone else signs in, and then is where they wanted to be. */
function ToSignIn() {
  const { data: setup, error } = useSetup()
  useEffect(() => {
    if (!setup && !error) return
    const wanted = location.pathname + location.search
    const next = wanted === '/' ? '' : `?next=${encodeURIComponent(wanted)}`
    navigate(setup?.first_run ? '/sign-up' : `/sign-in${next}`, 'replace')
  }, [setup, error])
  return null
}

function NotFoundPage() {
  return (
    <Page title="Page not found">
      There is no page at this address. <a {...linkTo('/')}>Go to the overview</a>.
    </Page>
  )
}

function findPage<Path extends string>(pages: Pages<Path>, path: string): ReactNode | null {
  for (const pattern in pages) {
    const found = patternOf(pattern).exec(path)
    if (found) return pages[pattern](decodeURIComponent(found[1] ?? ''))
  }
  return null
}

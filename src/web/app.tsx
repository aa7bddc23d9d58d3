import { Container } from '@mantine/core'
import { type ComponentProps, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import type { Company, Session } from './api-types.ts'
import {
  AccountAlonePage,
  AccountPage,
  ActivityPage,
  CompanyPage,
  ConfirmEmailPage,
  CredentialPage,
  CredentialsPage,
  FieldsPage,
  MembersPage,
  RemovedNotice,
  RequestsPage,
  RowsPage,
  SignInAgain,
  TwoFactorNeededPage,
  TwoFactorNotice,
  WebhookPage,
  WebhooksPage,
} from './later-pages.ts'
import { OverviewPage } from './overview/overview-page.tsx'
import { ErrorBoundary } from './parts/error-boundary.tsx'
import { FailureNotice } from './parts/failure-notice.tsx'
import { Loaded, Outline } from './parts/loaded.tsx'
import { accountPath, newCompanyPath, type openPaths, type ownPaths, pathIn, patternOf } from './paths.ts'
import { renewSession, useSessionQuery, useSetup } from './queries.ts'
import { isUnknownAddress, navigate, redirect, usePlace } from './router.tsx'
import { useResourcesQuery } from './rows/resources.ts'
import { SessionProvider } from './session.tsx'
import { useHasEnded } from './session-end.ts'
import { NotFoundPage } from './shell/not-found-page.tsx'
import { Shell } from './shell/shell.tsx'
import { ForgotPage } from './sign-in/forgot-page.tsx'
import { InvitationPage } from './sign-in/invitation-page.tsx'
import { NewCompanyPage } from './sign-in/new-company-page.tsx'
import { NoCompanyPage } from './sign-in/no-company-page.tsx'
import { NotMemberPage } from './sign-in/not-member-page.tsx'
import { ResetPasswordPage } from './sign-in/reset-password-page.tsx'
import { SignInPage } from './sign-in/sign-in-page.tsx'
import { SignUpPage } from './sign-in/sign-up-page.tsx'
import { UnknownPage } from './sign-in/unknown-page.tsx'

type Pages<Path extends string> = Readonly<Record<Path, (part: string) => ReactNode>>

const openPages: Pages<(typeof openPaths)[number]> = {
  '/sign-in': () => <SignInPage />,
  '/sign-up': () => <SignUpPage />,
  '/forgot': () => <ForgotPage />,
  '/reset-password': () => <ResetPasswordPage />,
  '/confirm-email': () => (
    <Suspense fallback={null}>
      <ConfirmEmailPage />
    </Suspense>
  ),
  '/invitation/:token': (token) => <InvitationPage token={token} />,
}

/** Every resource has a page besides. */
const ownPages: Pages<(typeof ownPaths)[number]> = {
  '/': () => <OverviewPage />,
  '/credentials': () => <CredentialsPage />,
  '/credentials/:id': (id) => <CredentialPage id={id} />,
  '/requests': () => <RequestsPage />,
  '/fields': () => <FieldsPage />,
  '/webhooks': () => <WebhooksPage />,
  '/webhooks/:id': (id) => <WebhookPage id={id} />,
  '/members': () => <MembersPage />,
  '/activity': () => <ActivityPage />,
  '/company': () => <CompanyPage />,
  '/account': () => <AccountPage />,
}

export function App() {
  const { fullPath } = usePlace()
  return <ErrorBoundary at={fullPath}>{findPage(openPages, fullPath) ?? <Protected />}</ErrorBoundary>
}

function Protected() {
  const session = useSessionQuery()
  const hasEnded = useHasEnded()
  if (session.data) {
    return (
      <>
        <SignedIn session={session.data} />
        <Suspense>{hasEnded && <SignInAgain person={session.data.person} />}</Suspense>
      </>
    )
  }
  if (session.data === null) return isUnknownAddress() ? <UnknownPage /> : <ToSignIn />
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

function SignedIn({ session }: { readonly session: Session }) {
  const { fullPath, companyId, path } = usePlace()
  const left = useLeftCompany(session, companyId)
  const [first] = session.companies
  const usual = session.company ?? first
  if (!left && !usual) {
    return fullPath === accountPath ? <AccountAlone session={session} /> : <NoCompanyPage session={session} />
  }
  if (fullPath === newCompanyPath) return <NewCompanyPage session={session} />
  if (companyId === null && usual && !isUnknownAddress()) return <LeadOn companyId={usual.id} />
  const company = left ?? (companyId === null ? usual : session.companies.find(({ id }) => id === companyId))
  if (!company) return <NotMemberPage session={session} />
  return (
    <TwoFactorGate key={company.id} session={session} company={company}>
      <SessionProvider session={{ ...session, company }}>
        <Suspense>{left && <RemovedNotice key={left.id} company={left} />}</Suspense>
        <Shell>
          <div key={`${company.id} ${path}`}>
            <ErrorBoundary at={path}>
              <Suspense fallback={<Outline lines={6} />}>
                {companyId === null ? <NotFoundPage /> : (findPage(ownPages, path) ?? <ResourcePage path={path} />)}
              </Suspense>
            </ErrorBoundary>
          </div>
        </Shell>
      </SessionProvider>
    </TwoFactorGate>
  )
}

const AccountAlone = (props: ComponentProps<typeof AccountAlonePage>) => (
  <Suspense fallback={null}>
    <AccountAlonePage {...props} />
  </Suspense>
)

interface TwoFactorGateProps {
  readonly session: Session
  readonly company: Company
  readonly children: ReactNode
}

/**
 * Leads members of a company that requires two factors to set them up. A page that was open before stays, with what was typed, until
 * the person goes on. The set-up stays until its recovery codes are stored.
 */
function TwoFactorGate({ session, company, children }: TwoFactorGateProps) {
  const { path } = usePlace()
  const isNeeded = company.two_factor_required && !session.person.two_factor
  const [isSettingUp, setSettingUp] = useState(false)
  const [keptPath, setKeptPath] = useState<string | null>(null)
  const nextKept = isNeeded ? (keptPath === path ? path : null) : path
  if (keptPath !== nextKept) setKeptPath(nextKept)
  const isKept = isNeeded && nextKept === path
  if ((!isNeeded && !isSettingUp) || isKept) {
    return (
      <>
        <Suspense>{isKept && <TwoFactorNotice company={company} leave={() => setKeptPath(null)} />}</Suspense>
        {children}
      </>
    )
  }
  if (path === accountPath) {
    const back = { path: pathIn(company.id, '/'), label: `Back to ${company.name}` }
    return <AccountAlone session={session} back={back} />
  }
  const open = async () => {
    await renewSession()
    setSettingUp(false)
  }
  return (
    <Suspense fallback={null}>
      <TwoFactorNeededPage session={session} company={company} settingUp={setSettingUp} done={open} />
    </Suspense>
  )
}

/** The company on the screen, where the person has been removed from it meanwhile: what they typed stays. */
function useLeftCompany({ companies }: Session, companyId: string | null): Company | null {
  const shown = useRef<Company | null>(null)
  const current = companies.find(({ id }) => id === companyId)
  if (current || shown.current?.id !== companyId) shown.current = current ?? null
  return current ? null : shown.current
}

/** A link from before companies were part of the address leads to the same page of the person's company. */
function LeadOn({ companyId }: { readonly companyId: string }) {
  useEffect(() => redirect(pathIn(companyId, location.pathname) + location.search + location.hash), [companyId])
  return null
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

/** The page of a path; null where there is none, or where a part of the path is not valid text (`%E0%A4%A`). */
function findPage<Path extends string>(pages: Pages<Path>, path: string): ReactNode | null {
  for (const pattern in pages) {
    const found = patternOf(pattern).exec(path)
    if (found) return decoded(found[1] ?? '', pages[pattern])
  }
  return null
}

function decoded(part: string, show: (part: string) => ReactNode): ReactNode | null {
  let text: string
  try {
    text = decodeURIComponent(part)
  } catch {
    return null
  }
  return show(text)
}

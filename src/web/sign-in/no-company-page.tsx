import { Anchor, Code, Text } from '@mantine/core'
import { useEffect } from 'react'
import type { Session } from '../api-types.ts'
import { accountPath } from '../paths.ts'
import { useSessionQuery } from '../queries.ts'
import { linkTo } from '../router.tsx'
import { CompanyForm } from './new-company-page.tsx'
import { SignInFrame } from './sign-in-frame.tsx'
import { SignedInAs } from './signed-in-as.tsx'

const lookMs = 10_000

/** Says that the person is in no company, and how they get into one. */
export function NoCompanyPage({ session }: { readonly session: Session }) {
  const { refetch } = useSessionQuery()
  // An operator may add the person at any moment.
  useEffect(() => {
    const timer = setInterval(() => void refetch(), lookMs)
    return () => clearInterval(timer)
  }, [refetch])
  const below = (
    <>
      <SignedInAs person={session.person} /> · <Anchor {...linkTo(accountPath)}>Account</Anchor>
    </>
  )
  if (session.may_create_company) {
    return (
      <SignInFrame
        title="Name your company"
        lead="You are not a member of a company yet. Data and credentials belong to one, and nobody outside of it sees them."
        below={below}
      >
        <CompanyForm />
      </SignInFrame>
    )
  }
  return (
    <SignInFrame title="You are in no company" below={below}>
      <Text>
        You are not a member of a company any more, or not yet. Ask an owner to invite{' '}
        <bdi dir="ltr">{session.person.email}</bdi>.
      </Text>
      <Text>
        Whoever runs this installation can add you with the command{' '}
        <Code className="wrap">member add --company NAME --email {session.person.email}</Code>. This page notices it by
        itself.
      </Text>
    </SignInFrame>
  )
}

import { Anchor, Text } from '@mantine/core'
import type { Company, Session } from '../api-types.ts'
import { pathIn } from '../paths.ts'
import { linkTo } from '../router.tsx'
import { SignInFrame } from '../sign-in/sign-in-frame.tsx'
import { SignedInAs } from '../sign-in/signed-in-as.tsx'
import { TwoFactorSetup } from './two-factor-setup.tsx'

interface TwoFactorNeededPageProps {
  readonly session: Session
  readonly company: Company
  readonly done: () => void
}

/** In the place of every page of a company that requires two factors, for members who have none. */
export function TwoFactorNeededPage({ session: { person, companies }, company, done }: TwoFactorNeededPageProps) {
  const others = companies.filter(({ id }) => id !== company.id)
  const lead = (
    <>
      <bdi>{company.name}</bdi> requires two-factor sign-in of all members. Set it up to go on.
    </>
  )
  return (
    <SignInFrame title="Set up two-factor sign-in" lead={lead} below={<SignedInAs person={person} />}>
      <TwoFactorSetup done={done} />
      {others.length > 0 && (
        <div>
          <Text size="sm">Your other companies:</Text>
          <ul className="company-list">
            {others.map(({ id, name }) => (
              <li key={id}>
                <Anchor {...linkTo(pathIn(id, '/'))} dir="auto">
                  {name}
                </Anchor>
              </li>
            ))}
          </ul>
        </div>
      )}
    </SignInFrame>
  )
}

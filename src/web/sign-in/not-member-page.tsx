import { Anchor, Text } from '@mantine/core'
import type { Session } from '../api-types.ts'
import { pathIn } from '../paths.ts'
import { linkTo } from '../router.tsx'
import { SignInFrame } from './sign-in-frame.tsx'
import { SignedInAs } from './signed-in-as.tsx'

/** For an address of a company that the person is no member of, or that does not exist: both look the same. */
export function NotMemberPage({ session: { person, companies } }: { readonly session: Session }) {
  return (
    <SignInFrame title="Not your company" below={<SignedInAs person={person} />}>
      <Text>
        This address is of a company that does not exist, or that you are not a member of. An owner of it can invite{' '}
        <bdi dir="ltr">{person.email}</bdi>.
      </Text>
      <Text>Your companies:</Text>
      <ul className="company-list">
        {companies.map(({ id, name }) => (
          <li key={id}>
            <Anchor {...linkTo(pathIn(id, '/'))} dir="auto">
              {name}
            </Anchor>
          </li>
        ))}
      </ul>
    </SignInFrame>
  )
}

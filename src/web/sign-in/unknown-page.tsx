import { Anchor, Text } from '@mantine/core'
import { linkTo } from '../router.tsx'
import { SignInFrame } from './sign-in-frame.tsx'

/** For those who are not signed in. */
export function UnknownPage() {
  return (
    <SignInFrame title="Page not found" below={<Anchor {...linkTo('/sign-in')}>Sign in</Anchor>}>
      <Text>There is no page at this address. It may be mistyped, or the link that led here is old.</Text>
    </SignInFrame>
  )
}

import type { Company } from '../api-types.ts'
import { KeptPageNotice } from '../parts/kept-page-notice.tsx'
import { accountPath, pathIn } from '../paths.ts'
import { navigate, usePlace } from '../router.tsx'

interface TwoFactorNoticeProps {
  readonly company: Company
  /** Gives up the page, so that the set-up takes its place. */
  readonly leave: () => void
}

/** For a member who was at work when the company began to require two factors. */
export function TwoFactorNotice({ company, leave }: TwoFactorNoticeProps) {
  const { path } = usePlace()
  const title = `${company.name} requires two-factor sign-in`
  const go = () => (path === accountPath ? navigate(pathIn(company.id, '/')) : leave())
  return (
    <KeptPageNotice title={title} banner={`${title}. Nothing can be saved here before.`} action="Set it up" go={go}>
      Nothing more can be loaded or saved here until you have set it up. What you typed is still on the page: copy what
      you need before you go.
    </KeptPageNotice>
  )
}

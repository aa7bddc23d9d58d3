import type { Company } from '../api-types.ts'
import { KeptPageNotice } from '../parts/kept-page-notice.tsx'
import { navigate } from '../router.tsx'

/** For whoever was removed while they were at work. */
export function RemovedNotice({ company }: { readonly company: Company }) {
  const title = `You are not a member of ${company.name} any more`
  return (
    <KeptPageNotice
      title={title}
      banner={`${title}. Nothing can be saved here.`}
      action="Go on"
      go={() => navigate('/')}
    >
      An owner has removed you, so nothing more can be loaded or saved here. What you typed is still on the page: copy
      what you need before you go.
    </KeptPageNotice>
  )
}

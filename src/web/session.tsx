import { type UseQueryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, use } from 'react'
import { get, send } from './api.ts'
import type { Company, Role, Session } from './api-types.ts'
import { pathIn } from './paths.ts'
import { linkTo, navigate } from './router.tsx'

/** A session, and the company that the address names: what every page behind the sign-in works with. */
export interface Here extends Session {
  readonly company: Company
}

const SessionContext = createContext<Session | null>(null)

/** `company` is the one that the address names; null where the pages below are no company's. */
export function SessionProvider({ session, children }: { readonly session: Session; readonly children: ReactNode }) {
  return <SessionContext value={session}>{children}</SessionContext>
}

/** Who is signed in, whether in a company or not. */
export function useSession(): Session {
  const session = use(SessionContext)
  if (!session) throw new Error('This part belongs behind the sign-in.')
  return session
}

export function useHere(): Here {
  const { company, ...rest } = useSession()
  if (!company) throw new Error('This part belongs to a company.')
  return { ...rest, company }
}

const ranks: Readonly<Record<Role, number>> = { viewer: 0, developer: 1, owner: 2 }

/** Null when the person may; otherwise the reason in words. A company that is about to be deleted stays as it is. */
export function useRefusal(needed: Role): string | null {
  const { delete_after } = useHere().company
  const refusal = useRoleRefusal(needed)
  return refusal ?? (delete_after === null ? null : 'The company is about to be deleted, so nothing can be changed.')
}

/** The same, by the role alone. */
export function useRoleRefusal(needed: Role): string | null {
  const { role } = useHere().company
  if (ranks[role] >= ranks[needed]) return null
  return needed === 'owner'
    ? `Only owners can do this, and you are a ${role}.`
    : 'Only developers and owners can do this, and you are a viewer.'
}

type Options<Answer> = Partial<
  Pick<UseQueryOptions<Answer>, 'refetchInterval' | 'enabled' | 'placeholderData' | 'staleTime'>
>

/** `/members` → `/api/c/0189…/members`. Every request names its company, as two windows may show two of them. */
export const apiPath = (companyId: string, path: string): string => `/api/c/${companyId}${path}`

/** What the server answers to a path of the company: `/members` */
export function useAnswer<Answer>(
  path: string,
  options: Options<Answer> = {},
  read: (path: string) => Promise<Answer> = get,
): UseQueryResult<Answer, Error> {
  const { id } = useHere().company
  return useQuery<Answer>({ queryKey: ['company', id, path], queryFn: () => read(apiPath(id, path)), ...options })
}

/** Sends a change of something of the company. */
export function useSend(): typeof send {
  const { id } = useHere().company
  return (method, path, body, headers) => send(method, apiPath(id, path), body, headers)
}

/** `{...link('/bids')}` leads to a page of the company. */
export function useLink(): (path: string) => ReturnType<typeof linkTo> {
  const { id } = useHere().company
  return (path) => linkTo(pathIn(id, path))
}

export function useNavigate(): (path: string) => void {
  const { id } = useHere().company
  return (path) => navigate(pathIn(id, path))
}

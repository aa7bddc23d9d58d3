import { type UseQueryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, use } from 'react'
import { get } from './api.ts'
import type { Company, Role, Session } from './api-types.ts'

/** A session that has its company: what every page behind the sign-in works with. */
export interface Here extends Session {
  readonly company: Company
}

const HereContext = createContext<Here | null>(null)

export function HereProvider({ here, children }: { readonly here: Here; readonly children: ReactNode }) {
  return <HereContext value={here}>{children}</HereContext>
}

export function useHere(): Here {
  const here = use(HereContext)
  if (!here) throw new Error('This part belongs behind the sign-in.')
  return here
}

const ranks: Readonly<Record<Role, number>> = { viewer: 0, developer: 1, owner: 2 }

/** Null when the person may; otherwise the reason in words. */
export function useRefusal(needed: Role): string | null {
  const { role } = useHere().company
  if (ranks[role] >= ranks[needed]) return null
  return needed === 'owner'
    ? `Only owners can do this, and you are a ${role}.`
    : 'Only developers and owners can do this, and you are a viewer.'
}

type Options<Answer> = Partial<
  Pick<UseQueryOptions<Answer>, 'refetchInterval' | 'enabled' | 'placeholderData' | 'staleTime'>
>

/** What the server answers to a path, for the company of the session. */
export function useAnswer<Answer>(
  path: string,
  options: Options<Answer> = {},
  read: (path: string) => Promise<Answer> = get,
): UseQueryResult<Answer, Error> {
  const { company } = useHere()
  return useQuery<Answer>({ queryKey: ['company', company.id, path], queryFn: () => read(path), ...options })
}

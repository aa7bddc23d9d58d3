import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { send } from '../api.ts'

/** What the link that led here is good for. A link that does not work any more fails with `invalid_token`. */
export function useLinkCheck<Answer>(
  kind: 'reset-password' | 'confirm-email',
  token: string,
): UseQueryResult<Answer, Error> {
  return useQuery({
    queryKey: ['link', kind, token],
    queryFn: async () => (await send<Answer>('POST', `/api/links/${kind}`, { token })) ?? (null as Answer),
    retry: false,
    // Using the link ends it, which is no news to who has used it.
    staleTime: Number.POSITIVE_INFINITY,
  })
}

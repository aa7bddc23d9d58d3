import { failure } from '../errors/index.ts'
import type { Caller } from './caller.ts'

/** Refuses what the caller may not do. A read without a company is allowed and returns no rows, unless the request is strict. */
export function permit(
  { access, scope, isExposed }: Caller,
  asked: { readonly isRead: boolean; readonly isStrict: boolean },
): void {
  if (isExposed) throw failure.secretInBrowser()
  if (scope.companyId === null && (!asked.isRead || asked.isStrict)) throw failure.notScoped()
  if (!asked.isRead && access === 'read') throw failure.insufficientScope()
}

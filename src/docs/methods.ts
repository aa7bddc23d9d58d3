import { isRead, type Method, methods } from '../request/parse-request.ts'

/** The methods in groups, for tables that say what goes with which. */
export const all: readonly Method[] = methods
export const reads: readonly Method[] = methods.filter(isRead)
export const writes: readonly Method[] = methods.filter((method) => !isRead(method))
export const bodies: readonly Method[] = ['POST', 'PUT', 'PATCH']
export const changes: readonly Method[] = ['PATCH', 'DELETE']
/** Those whose rows are named by any filter. */
export const named: readonly Method[] = [...reads, ...changes]

/** The methods of a resource, in the order in which `Allow` names them. */
export const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type Method = (typeof methods)[number]

/** What `Allow` says of a resource that has these methods. */
export const allowOf = (served: readonly Method[]): string => ['OPTIONS', ...served].join(',')

/** The same, of a resource that has them all. */
export const allow = allowOf(methods)

/** Of a method by any name: a request may have one that no resource has. */
export const isRead = (method: string): method is 'GET' | 'HEAD' => method === 'GET' || method === 'HEAD'

/** The same: whether nothing looks at the body of such a request. The runtime itself throws that of a read away. */
export const ignoresBody = (method: string): boolean => method === 'DELETE'

/** The same: whether a request of this method has a body. */
export const hasBody = (method: string): boolean => !isRead(method) && !ignoresBody(method)

/** The methods in groups, for tables that say what goes with which. */
export const reads: readonly Method[] = methods.filter(isRead)
export const writes: readonly Method[] = methods.filter((method) => !isRead(method))
export const all: readonly Method[] = [...reads, ...writes]
export const bodies: readonly Method[] = methods.filter(hasBody)
export const changes: readonly Method[] = ['PATCH', 'DELETE']

/** Throws a body away as it arrives. Unread, up to 1.5 MB of it would be in memory for as long as the request takes. */
export function discardBody({ body }: Request): void {
  // It rejects if the client has gone, which is no matter here.
  body?.cancel().catch(() => {})
}

/** `pak_…` and `pas_…` → `pak_….pas_…`, for tools with a single field. */
export const joinTokens = (key: string, secret: string): string => `${key}.${secret}`

/** `pak_….pas_…` → `pas_…`; null where nothing is joined. A header that was sent twice has a comma in it, and is no such text. */
export function joinedSecret(text: string | null): string | null {
  const dot = text === null ? -1 : text.indexOf('.')
  return text === null || dot < 0 || text.includes(',') ? null : text.slice(dot + 1)
}

/** The secret of the header of its own or the joined one. If both are sent and differ, returns a text that matches no secret. */
export function onlySecret(own: string | null, joined: string | null): string | null {
  if (joined === null) return own
  return own === null || own === '' || own === joined ? joined : `${own},${joined}`
}

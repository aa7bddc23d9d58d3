/** The links that were made in this window. The server keeps a digest of each, so nobody can show them again. */
const links = new Map<string, string>()

export function rememberLink(invitationId: string, link: string | null): void {
  if (link !== null) links.set(invitationId, link)
}

export const knownLink = (invitationId: string): string | null => links.get(invitationId) ?? null

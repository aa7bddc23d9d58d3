/** Accepted advisories by GHSA id, each with the reason why it is harmless here, and when it can be removed. */
export const allowed: Readonly<Record<string, string>> = {}

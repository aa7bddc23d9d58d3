/** Advisories that must wait, by their GHSA id, each with the reason why it cannot hurt here and what it waits for. */
export const allowed: Readonly<Record<string, string>> = {}

/** Each state leads to the next two, round in a circle: of two states, exactly one may follow the other. */
export const states = ['draft', 'review', 'approved', 'active', 'closed'] as const
export const initial = states[0]

const following = (at: number): string[] => [1, 2].map((step) => states[(at + step) % states.length] ?? '')
export const transitions: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  states.map((state, at) => [state, following(at)]),
)

export const isAllowed = (from: string, to: string): boolean =>
  from === to || (transitions[from]?.includes(to) ?? false)

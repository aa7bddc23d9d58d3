/** What can become of a row. */
export const changeKinds = ['created', 'updated', 'deleted'] as const
export type ChangeKind = (typeof changeKinds)[number]

import { createField } from '../../src/fields/fields.ts'
import type { Tenant } from '../support/world.ts'

/** One field of each type, in this order. */
export const everyType = [
  { name: 'note', type: 'text' },
  { name: 'floors', type: 'integer', rules: { minimum: 0, maximum: 200 } },
  { name: 'contract_value', type: 'decimal' },
  { name: 'share', type: 'number' },
  { name: 'is_public', type: 'boolean' },
  { name: 'due_on', type: 'date' },
  { name: 'seen_at', type: 'timestamp' },
  { name: 'stage', type: 'choice', choices: ['lead', 'won', 'lost'] },
  { name: 'trades', type: 'choices', choices: ['roof', 'wall', 'paint'] },
  { name: 'plan_url', type: 'url' },
  { name: 'contact', type: 'email' },
] as const

export const sample = {
  note: 'Béton "brut" \\ 1',
  floors: 12,
  contract_value: 1234.5,
  share: 0.25,
  is_public: true,
  due_on: '2026-12-24',
  seen_at: '2026-01-31T12:00:00.5+00:00',
  stage: 'won',
  trades: ['roof', 'paint'],
  plan_url: 'https://example.com/a?b=c',
  contact: 'ada@example.com',
}

export const nothingSet = Object.fromEntries(everyType.map(({ name }) => [name, null]))

export async function addFields(
  { db, id }: Tenant,
  resource: 'project' | 'bid',
  fields: readonly object[] = everyType,
): Promise<void> {
  for (const field of fields) await createField(db, id, { resource, ...field })
}

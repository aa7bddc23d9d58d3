import type { FieldChoice } from '../api-types.ts'
import type { FieldStart } from './field-form.ts'

const choice = (value: string, label: string, color: FieldChoice['color']): FieldChoice => ({
  ...{ value, label, color, closed: false },
})

/** A field without its resource. */
type Suggestion = Omit<FieldStart, 'resource'> & { readonly label: string }

const status: Suggestion = {
  name: 'status',
  label: 'Status',
  type: 'choice',
  choices: [
    choice('lead', 'Lead', 'gray'),
    choice('active', 'Active', 'blue'),
    choice('done', 'Done', 'green'),
    choice('lost', 'Lost', 'red'),
  ],
  initial: 'lead',
  transitions: { lead: ['active', 'lost'], active: ['done', 'lost'] },
}

/** What most companies begin with. */
export const suggestions: readonly Suggestion[] = [
  status,
  { name: 'contract_value', label: 'Contract value', type: 'decimal', rules: { minimum: 0 } },
  { name: 'due_on', label: 'Due date', type: 'date' },
]

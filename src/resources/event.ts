import { resource } from './define.ts'

/** The service writes it, in the same transaction as the change that it tells of. */
export const event = resource(
  'event',
  'A change of a row: created, updated or deleted.',
  {
    sequence: {
      type: 'integer',
      primaryKey: true,
      description: 'Grows with every event of the company. Whoever goes on after a number misses no event.',
    },
    id: { type: 'uuid', description: 'Names the event for ever, in webhooks too.' },
    type: { type: 'text', maxLength: 100, description: 'What happened, such as project.created.' },
    resource: { type: 'text', maxLength: 63, description: 'Whose row it is, such as project.' },
    row_id: { type: 'uuid', label: 'Row', description: 'The id of the row.' },
    row: { type: 'json', description: 'The row as it is after the change, or was before it was deleted.' },
    changed: {
      type: 'text-list',
      namesOnly: true,
      maxLength: 63,
      description: 'The columns that have another value than before.',
    },
    previous: { type: 'json', nullable: true, description: 'What these columns had before an update.' },
    created_at: { type: 'timestamp', generated: 'now', description: 'When it happened.' },
    actor_kind: { type: 'text', maxLength: 20, description: 'Who did it: credential, person or operator.' },
    actor_id: {
      type: 'text',
      label: 'Actor',
      maxLength: 63,
      nullable: true,
      description: 'Which credential or person it was.',
    },
  },
  { isReadOnly: true },
)

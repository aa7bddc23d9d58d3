import { resource } from './define.ts'

export const field = resource(
  'field',
  'A column that the company has added to a resource.',
  {
    id: { type: 'uuid', primaryKey: true, generated: 'uuid', description: 'Made by the server.' },
    resource: { type: 'text', description: 'The resource that has the column.' },
    name: { type: 'text', description: 'The name of the column. It never changes.' },
    label: { type: 'text', description: 'Name for people to read.' },
    description: { type: 'text', description: 'What it is for.' },
    type: { type: 'text', description: 'The type of its values, such as text or choice. It never changes.' },
    position: { type: 'integer', description: 'The order of the columns, behind the built-in ones.' },
    required: { type: 'boolean', description: 'Whether a row that is written needs a value.' },
    default_value: { type: 'json-value', nullable: true, description: 'What a new row has if nothing is sent.' },
    rules: { type: 'json', description: 'What a value must be like, such as max_length or minimum.' },
    choices: {
      type: 'json-list',
      nullable: true,
      description: 'The values to choose from: value, label, color, and whether it is closed for further rows.',
    },
    initial: { type: 'text', nullable: true, description: 'The choice that a new row has.' },
    start: { type: 'text', description: 'Whether a new row must have the initial choice (initial) or not (any).' },
    transitions: {
      type: 'json',
      nullable: true,
      description: 'The choices that may follow each choice. If it is null, every choice may follow every other one.',
    },
    indexed: { type: 'boolean', description: 'Whether filters and order by it use an index.' },
    indexed_at: { type: 'timestamp', nullable: true, description: 'When the index was complete.' },
    archived_at: {
      type: 'timestamp',
      nullable: true,
      description: 'When it was hidden. Its values are kept for 30 days.',
    },
    created_at: { type: 'timestamp', generated: 'now', description: 'When it was created.' },
    updated_at: { type: 'timestamp', generated: 'now', onUpdate: 'now', description: 'When it was last changed.' },
  },
  { isReadOnly: true, isUnlisted: true },
)

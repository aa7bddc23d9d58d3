import { resource } from '../../src/resources/define.ts'

/** A resource that only these tests know: what CONTRIBUTING.md says of a new one has to be all that it takes. */
export const task = resource('task', 'A piece of work on a project.', {
  id: { type: 'uuid', primaryKey: true, generated: 'uuid', description: 'Made by the server unless sent.' },
  project_id: { type: 'uuid', references: 'project', description: 'The project.' },
  task_name: { type: 'text', minLength: 1, maxLength: 255, description: 'Name for people to read.' },
  note: { type: 'text', minLength: 1, maxLength: 1000, nullable: true, description: 'Anything else.' },
  state: { type: 'text', minLength: 1, maxLength: 20, default: 'open', description: 'How far it is.' },
  due_at: { type: 'timestamp', nullable: true, description: 'When it has to be done.' },
  due_on: { type: 'date', nullable: true, description: 'The same as a day.' },
  hours: { type: 'integer', nullable: true, description: 'How long it should take.' },
  cost: { type: 'decimal', scale: 2, default: '0', description: 'What it should cost.' },
  share: { type: 'number', nullable: true, description: 'Its part of the whole.' },
  is_urgent: { type: 'boolean', nullable: true, description: 'Whether it should come first.' },
  tags: { type: 'text-list', nullable: true, maxItems: 10, maxLength: 50, description: 'Words to find it by.' },
  extra: { type: 'json', nullable: true, maxLength: 100, description: 'What has no column of its own.' },
  created_at: { type: 'timestamp', generated: 'now', description: 'When it was created.' },
  updated_at: { type: 'timestamp', generated: 'now', onUpdate: 'now', description: 'When it was last changed.' },
})

/** One that only the service writes: here, the tests by SQL. */
export const entry = resource(
  'entry',
  'Something that happened to a project.',
  {
    id: { type: 'integer', primaryKey: true, description: 'Counts the entries of a company.' },
    project_id: { type: 'uuid', description: 'The project.' },
    before: { type: 'json', maxLength: 1000, description: 'The project as it was.' },
    created_at: { type: 'timestamp', generated: 'now', description: 'When it happened.' },
  },
  { labels: { one: 'entry', many: 'entries' }, isReadOnly: true },
)

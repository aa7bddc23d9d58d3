import { resource, withOwnFields } from './define.ts'

export const project = withOwnFields(
  resource('project', 'Work that belongs to a bid.', {
    id: { type: 'uuid', primaryKey: true, generated: 'uuid', description: 'Made by the server unless sent.' },
    bid_id: { type: 'uuid', references: 'bid', description: 'The bid that the project belongs to.' },
    project_name: {
      type: 'text',
      minLength: 1,
      maxLength: 255,
      description: 'Name for people to read.',
      example: 'Steel deck',
    },
    created_at: { type: 'timestamp', generated: 'now', description: 'When it was created.' },
    updated_at: { type: 'timestamp', generated: 'now', onUpdate: 'now', description: 'When it was last changed.' },
  }),
)

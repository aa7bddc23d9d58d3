import { resource, withOwnFields } from './define.ts'

export const bid = withOwnFields(
  resource('bid', 'An offer that projects belong to.', {
    id: { type: 'uuid', primaryKey: true, generated: 'uuid', description: 'Made by the server unless sent.' },
    bid_name: {
      type: 'text',
      minLength: 1,
      maxLength: 255,
      description: 'Name for people to read.',
      example: 'Harbour bridge',
    },
    created_at: { type: 'timestamp', generated: 'now', description: 'When it was created.' },
    updated_at: { type: 'timestamp', generated: 'now', onUpdate: 'now', description: 'When it was last changed.' },
  }),
)

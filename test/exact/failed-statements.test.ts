import { expect, test } from 'bun:test'
import { ApiError } from '../../src/errors/index.ts'
import { sql } from '../../src/store/sql.ts'
import { text } from '../../src/types/text.ts'
import { onEachEngine } from '../support/engines.ts'

onEachEngine('an error of a cast', (world) => {
  const readCast = async () => world.db.read(sql`select ${world.db.dialect.cast(sql`'x'`, text, 'integer')}`)

  test('is not the client’s if the client has cast nothing', async () => {
    const error = await readCast().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(Error)
    expect(error).not.toBeInstanceOf(ApiError)
    expect(world.db.explain(error)).toBe('unreadable')
  })
})

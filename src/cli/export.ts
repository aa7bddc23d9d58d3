import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import type { Writable } from 'node:stream'
import type { Config } from '../config/config.ts'
import { ownResources } from '../fields/own-resources.ts'
import { hasResource, resources } from '../resources/index.ts'
import type { Database } from '../store/database.ts'
import { exportRows } from '../transfer/export-rows.ts'
import type { TransferPlace } from '../transfer/place.ts'
import { type Command, CommandError } from './command.ts'
import { operatorFor } from './operator.ts'
import { findCompany, withDatabase } from './with-database.ts'

export const company = { value: 'ID_OR_NAME', meaning: 'The company', required: true } as const
export const resource = {
  value: 'NAME',
  meaning: `One of ${resources.map(({ name }) => name).join(', ')}`,
  required: true,
} as const

export const exportCommand: Command = {
  summary: 'Write the rows of a company as CSV, or as JSON with --json',
  words: [],
  flags: {
    company,
    resource,
    filter: { value: 'QUERY', meaning: "Only some, as the API is asked: 'project_name=like.A*&order=id' (all)" },
    to: { value: 'FILE', meaning: 'A new file (standard output)' },
  },
  run: ({ flags, config, wantsJson }) => {
    const wanted = {
      resource: parseResource(flags.resource ?? ''),
      query: flags.filter ?? '',
      form: wantsJson ? ('json' as const) : ('csv' as const),
    }
    return withDatabase(config, async (db) => {
      const place = await openPlace(db, config, flags.company ?? '')
      const { body } = await exportRows(place, wanted)
      const output = flags.to === undefined ? process.stdout : await openNew(flags.to)
      for await (const part of typeof body === 'string' ? [body] : (body ?? [])) await write(output, part)
      await write(output, '\n')
      if (output !== process.stdout) {
        output.end()
        await once(output, 'finish')
      }
      return null
    })
  },
}

/** The rows of a company, with its own fields as they are now. */
export async function openPlace(db: Database, config: Config, idOrName: string): Promise<TransferPlace> {
  const { id: companyId } = await findCompany(db, idOrName)
  const { version } = await ownResources(db, companyId, Number.POSITIVE_INFINITY)
  const actor = await operatorFor(db, companyId)
  return { db, limits: config, companyId, fieldsVersion: version, actor, right: undefined }
}

export function parseResource(name: string): string {
  if (!hasResource(name)) throw new CommandError(`There is no resource "${name}". ${resource.meaning}.`, 2)
  return name
}

async function openNew(path: string): Promise<Writable> {
  const file = createWriteStream(path, { flags: 'wx' })
  try {
    await once(file, 'open')
    return file
  } catch (error) {
    throw new CommandError(`Cannot write ${path}: ${error instanceof Error ? error.message : error}.`)
  }
}

async function write(output: Writable, text: string): Promise<void> {
  if (!output.write(text)) await once(output, 'drain')
}

import type { Config } from '../config/config.ts'
import { latestResources } from '../fields/own-resources.ts'
import { type Column, isNeeded, type Resource, typeOf } from '../resources/define.ts'
import { resources } from '../resources/index.ts'
import { foreignKeys, type Relation } from '../resources/relations.ts'
import type { Command } from './command.ts'
import { findCompany, withDatabase } from './with-database.ts'

export const types: Command = {
  summary: 'Print the TypeScript types for createClient<Database> of supabase-js',
  words: [],
  flags: { company: { value: 'ID_OR_NAME', meaning: 'With the fields of its own that a company has' } },
  run: async ({ flags, config }) => {
    const { company } = flags
    const typescript = company === undefined ? typesText(resources) : await typesOf(config, company)
    return { json: { typescript }, text: typescript }
  },
}

const typesOf = (config: Config, company: string): Promise<string> =>
  withDatabase(config, async (db) => typesText(await latestResources(db, (await findCompany(db, company)).id)))

/** The type `Database` of `resources/client-types.ts` as a self-contained file. */
function typesText(resources: readonly Resource[]): string {
  const nothing = '{ [_ in never]: never }'
  const tables = resources.filter(({ isReadOnly }) => !isReadOnly)
  const views = resources.filter(({ isReadOnly }) => isReadOnly)
  return `export type Database = {
  __InternalSupabase: { PostgrestVersion: '14' }
  public: {
    Tables: {
${tables.map(tableText).join('\n')}
    }
    Views: ${views.length === 0 ? nothing : `{\n${views.map(tableText).join('\n')}\n    }`}
    Functions: ${nothing}
    Enums: ${nothing}
    CompositeTypes: ${nothing}
  }
}`
}

/** Of a resource that can only be read, the client wants to know no more than what its rows are. */
function tableText(resource: Resource): string {
  const columns = [...resource.columns.values()]
  const written = `
        Insert: { ${columns.map((column) => fieldText(column, !isNeeded(column))).join('; ')} }
        Update: { ${columns.map((column) => fieldText(column, true)).join('; ')} }`
  return `      ${resource.name}: {
        Row: { ${columns.map((column) => `${column.name}: ${valueText(column)}`).join('; ')} }${resource.isReadOnly ? '' : written}
        Relationships: [${foreignKeys(resource).map(relationshipText).join('')}]
      }`
}

const valueText = (column: Column): string => `${plainText(column)}${column.nullable ? ' | null' : ''}`

/** The values of a choice are known. */
function plainText(column: Column): string {
  if (!column.choices) return typeOf(column).typescript
  const values = column.choices.map(({ value }) => JSON.stringify(value)).join(' | ')
  return column.type === 'choices' ? `(${values})[]` : values
}

const fieldText = (column: Column, isOptional: boolean): string =>
  `${column.name}${isOptional ? '?' : ''}: ${valueText(column)}`

const relationshipText = ({ constraint, own, target, other }: Relation): string => `
          {
            foreignKeyName: '${constraint}'
            columns: ['${own.name}']
            isOneToOne: false
            referencedRelation: '${target.name}'
            referencedColumns: ['${other.name}']
          },
        `

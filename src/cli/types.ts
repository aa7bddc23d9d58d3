import { type Column, isNeeded, type Resource, typeOf } from '../resources/define.ts'
import { resources } from '../resources/index.ts'
import { foreignKeys, type Relation } from '../resources/relations.ts'
import type { Command } from './command.ts'

export const types: Command = {
  summary: 'Print the TypeScript types for createClient<Database> of supabase-js',
  words: [],
  flags: {},
  run: async () => {
    const typescript = typesText()
    return { json: { typescript }, text: typescript }
  },
}

/** The type `Database` of `resources/client-types.ts` as a self-contained file. */
function typesText(): string {
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

const valueText = (column: Column): string => `${typeOf(column).typescript}${column.nullable ? ' | null' : ''}`

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

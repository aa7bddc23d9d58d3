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
  return `export type Database = {
  __InternalSupabase: { PostgrestVersion: '14' }
  public: {
    Tables: {
${resources.map(tableText).join('\n')}
    }
    Views: ${nothing}
    Functions: ${nothing}
    Enums: ${nothing}
    CompositeTypes: ${nothing}
  }
}`
}

function tableText(resource: Resource): string {
  const columns = [...resource.columns.values()]
  return `      ${resource.name}: {
        Row: { ${columns.map((column) => `${column.name}: ${valueText(column)}`).join('; ')} }
        Insert: { ${columns.map((column) => fieldText(column, !isNeeded(column))).join('; ')} }
        Update: { ${columns.map((column) => fieldText(column, true)).join('; ')} }
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

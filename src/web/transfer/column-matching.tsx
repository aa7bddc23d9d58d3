import { Alert, NativeSelect, Table, Text } from '@mantine/core'
import type { ImportPreview } from '../api-types.ts'
import { Icon } from '../parts/icons.tsx'
import { missingOf } from './missing-columns.ts'

interface ColumnMatchingProps {
  readonly opened: ImportPreview
  readonly columns: readonly (string | null)[]
  readonly change: (columns: readonly (string | null)[]) => void
}

/** The names of a file with their first values, one below the other, and which column each of them goes to. */
export function ColumnMatching({ opened, columns, change }: ColumnMatchingProps) {
  const { header, rows, choices } = opened
  const missing = missingOf(opened, columns)
  const options = [
    { value: '', label: 'Do not import' },
    ...choices.map(({ name, label, needed }) => ({ value: name, label: needed ? `${label} (needed)` : label })),
  ]
  /** A column takes the cells of one name only. */
  const choose = (at: number, name: string | null) =>
    change(columns.map((column, other) => (other === at ? name : column === name ? null : column)))
  return (
    <>
      {missing.length > 0 && (
        <Alert color="orange" icon={<Icon name="warning" />} title="A column is missing">
          Every row needs {missing.map(({ label }) => label.toLowerCase()).join(', ')}. Choose where it stands in the
          file.
        </Alert>
      )}
      <Table layout="fixed">
        <Table.Caption className="visually-hidden">The columns of the file, with their first values</Table.Caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">In the file</Table.Th>
            <Table.Th scope="col">Import as</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {header.map((title, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a file may have two columns of one name.
            <Table.Tr key={at}>
              <Table.Th scope="row">
                <span className="ellipsis" dir="auto">
                  {title || `Column ${at + 1}`}
                </span>
                <Text span size="sm" c="dimmed" className="ellipsis" dir="auto">
                  {firstValues(rows, at).join(' · ') || 'No values in the first rows'}
                </Text>
              </Table.Th>
              <Table.Td>
                <NativeSelect
                  size="xs"
                  aria-label={`Import ${title || `column ${at + 1}`} as`}
                  data={options}
                  value={columns[at] ?? ''}
                  onChange={(event) => choose(at, event.currentTarget.value || null)}
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </>
  )
}

/** Different ones, so that they tell something of the column. */
const firstValues = (rows: ImportPreview['rows'], at: number): readonly string[] =>
  [...new Set(rows.map((cells) => cells[at]?.trim() ?? ''))].filter((text) => text !== '')

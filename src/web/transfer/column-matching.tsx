import { Alert, NativeSelect, Table, Text } from '@mantine/core'
import type { ImportPreview } from '../api-types.ts'
import { Icon } from '../parts/icons.tsx'
import { missingOf } from './missing-columns.ts'

interface ColumnMatchingProps {
  readonly opened: ImportPreview
  readonly columns: readonly (string | null)[]
  readonly change: (columns: readonly (string | null)[]) => void
}

/** The first rows of a file, and which column each of its cells goes to. */
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
      <div className="scroll-within">
        <Table>
          <Table.Caption className="visually-hidden">The columns of the file, and the first rows</Table.Caption>
          <Table.Thead>
            <Table.Tr>
              {header.map((title, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a file may have two columns of one name.
                <Table.Th key={at} scope="col" miw={150}>
                  <Text size="sm" fw={600} mb={4} dir="auto">
                    {title || `Column ${at + 1}`}
                  </Text>
                  <NativeSelect
                    size="xs"
                    aria-label={`Import ${title || `column ${at + 1}`} as`}
                    data={options}
                    value={columns[at] ?? ''}
                    onChange={(event) => choose(at, event.currentTarget.value || null)}
                  />
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((cells, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a file stay where they are.
              <Table.Tr key={row}>
                {header.map((_, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: as above.
                  <Table.Td key={at} {...(columns[at] === null ? { c: 'dimmed' } : {})}>
                    <span className="clipped" dir="auto">
                      {cells[at] ?? ''}
                    </span>
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </>
  )
}

import { Button, Group, Table, Text } from '@mantine/core'
import type { BadRow } from '../api-types.ts'
import { reportOf } from './run-import.ts'
import { useFile } from './use-file.ts'

const shownMax = 10

interface BadRowsProps {
  readonly header: readonly string[]
  readonly bad: readonly BadRow[]
}

/** The first bad rows, and all of them as a file. */
export function BadRows({ header, bad }: BadRowsProps) {
  const href = useFile(reportOf(header, bad))
  return (
    <>
      <div className="scroll-within">
        <Table>
          <Table.Caption className="visually-hidden">Bad rows</Table.Caption>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Row</Table.Th>
              <Table.Th scope="col">What is wrong</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {bad.slice(0, shownMax).map(({ row, problems }) => (
              <Table.Tr key={row}>
                <Table.Td>{row}</Table.Td>
                <Table.Td className="wrap">
                  {problems.map(({ message, hint }) => (
                    <div key={message}>
                      <bdi>{message}</bdi>
                      {hint && (
                        <Text size="xs" c="dimmed">
                          {hint}
                        </Text>
                      )}
                    </div>
                  ))}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {bad.length > shownMax ? `and ${(bad.length - shownMax).toLocaleString('en')} more` : ''}
        </Text>
        <Button component="a" variant="default" href={href} download="bad-rows.csv">
          Download all bad rows
        </Button>
      </Group>
    </>
  )
}

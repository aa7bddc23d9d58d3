import { Table } from '@mantine/core'
import { type Bar, outcomes, wordsOf } from './bars.tsx'

interface UsageTableProps {
  readonly summary: string
  /** What a row is: "Day". */
  readonly first: string
  readonly bars: readonly Bar[]
}

/** The numbers behind a picture. */
export function UsageTable({ summary, first, bars }: UsageTableProps) {
  return (
    <details>
      <summary>{summary}</summary>
      <div className="scroll-within">
        <Table mt="sm">
          <Table.Caption className="visually-hidden">Requests by outcome</Table.Caption>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{first}</Table.Th>
              {outcomes.map((outcome) => (
                <Table.Th key={outcome} scope="col">
                  {wordsOf[outcome]}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {bars.map((bar) => (
              <Table.Tr key={bar.label}>
                <Table.Th scope="row" fw={400}>
                  {bar.label}
                </Table.Th>
                {outcomes.map((outcome) => (
                  <Table.Td key={outcome}>{bar[outcome].toLocaleString('en')}</Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </details>
  )
}

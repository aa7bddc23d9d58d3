import { Table } from '@mantine/core'
import { type Bar, outcomes, wordsOf } from './bars.tsx'
import { msText, type Times } from './latency-chart.tsx'

interface UsageTableProps {
  readonly summary: string
  /** What a row is: "Day". */
  readonly first: string
  readonly bars: readonly (Bar & Times)[]
}

/** The numbers behind a picture. */
export function UsageTable({ summary, first, bars }: UsageTableProps) {
  return (
    <details>
      <summary>{summary}</summary>
      <div className="scroll-within">
        <Table mt="sm">
          <Table.Caption className="visually-hidden">Requests by outcome, and how long they took</Table.Caption>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{first}</Table.Th>
              {outcomes.map((outcome) => (
                <Table.Th key={outcome} scope="col">
                  {wordsOf[outcome]}
                </Table.Th>
              ))}
              <Table.Th scope="col">p50</Table.Th>
              <Table.Th scope="col">p95</Table.Th>
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
                <Table.Td>{msText(bar.p50_ms)}</Table.Td>
                <Table.Td>{msText(bar.p95_ms)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </details>
  )
}

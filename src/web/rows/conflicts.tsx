import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import type { Column, Row } from '../api-types.ts'
import type { Entered } from '../columns/column-view.ts'
import { viewOf } from '../columns/column-views.tsx'
import { Icon } from '../parts/icons.tsx'
import { type Form, isSame } from './row-body.ts'

interface ConflictsProps {
  readonly columns: readonly Column[]
  /** The row as somebody else has saved it meanwhile, and the same as a form has it. */
  readonly row: Row
  readonly theirs: Form
  readonly entered: Form
  readonly enter: (name: string, value: Entered) => void
}

/** Shows what somebody else has saved meanwhile, and offers to take it. Saving again keeps what is in the form. */
export function Conflicts({ columns, row, theirs, entered, enter }: ConflictsProps) {
  const differing = columns.filter(({ name }) => !isSame(theirs[name], entered[name]))
  return (
    <Alert color="orange" icon={<Icon name="warning" />} title="Somebody else has changed it meanwhile" role="alert">
      <Stack gap="xs">
        {differing.map((column) => {
          const { Cell } = viewOf(column)
          return (
            <Group key={column.name} justify="space-between" wrap="nowrap">
              <div className="page-title">
                <Text size="sm">{column.label}, as they saved it:</Text>
                {column.references === null ? <Cell column={column} row={row} /> : <Text size="sm">another one</Text>}
              </div>
              <Button
                size="xs"
                variant="default"
                className="no-shrink"
                aria-label={`Take theirs: ${column.label}`}
                onClick={() => enter(column.name, theirs[column.name] ?? '')}
              >
                Take theirs
              </Button>
            </Group>
          )
        })}
        <Text size="sm">
          {differing.length === 0
            ? 'The form has what they saved now.'
            : 'Nothing of yours is saved yet. “Save mine” replaces theirs with what is in the form.'}
        </Text>
      </Stack>
    </Alert>
  )
}

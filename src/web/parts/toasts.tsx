import { Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'

export function showFailure(title: string, error: unknown): void {
  notifications.show({ color: 'red', title, message: error instanceof Error ? error.message : String(error) })
}

/** Time to read the message, to notice a slip and to get to the button. */
const undoMs = 15_000

/** Says what was done, and offers to undo it until `dropUndo`. */
export function showUndo(message: string, undo: (() => Promise<unknown>) | null, about?: string): void {
  if (undo === null) {
    notifications.show({ message })
    return
  }
  const run = () => {
    notifications.hide(id)
    undo().then(
      () => notifications.show({ message: 'It is undone.' }),
      (error: unknown) => showFailure('Could not undo it', error),
    )
  }
  const id: string = notifications.show({
    ...(about === undefined ? {} : { id: undoId(about) }),
    autoClose: undoMs,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <span dir="auto">{message}</span>
        <Button size="compact-sm" variant="default" onClick={run} className="no-shrink">
          Undo
        </Button>
      </Group>
    ),
  })
}

const undoId = (about: string): string => `undo ${about}`

/** After something was undone in another way. */
export const dropUndo = (about: string): void => {
  notifications.hide(undoId(about))
}

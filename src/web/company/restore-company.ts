import { notifications } from '@mantine/notifications'
import { renewSession } from '../queries.ts'
import { useSend } from '../session.tsx'
import { type Task, useTask } from '../use-task.ts'

/** Undoes the deletion of the company. */
export function useRestoreCompany(): Task {
  const send = useSend()
  return useTask(async () => {
    await send('POST', '/company/restore', {})
    await renewSession()
    notifications.show({ message: 'The company stays. Its credentials work again.' })
  })
}

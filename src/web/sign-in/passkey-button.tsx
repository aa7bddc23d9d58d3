import { Button, Stack } from '@mantine/core'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { useTask } from '../use-task.ts'
import { signInWithPasskey, usePasskeyProblem } from './passkey.ts'

/** Signs in with a passkey, where that is possible. */
export function PasskeyButton({ done }: { readonly done: () => Promise<unknown> }) {
  const problem = usePasskeyProblem()
  const task = useTask(async () => {
    if (await signInWithPasskey()) await done()
  })
  if (problem !== null) return null
  return (
    <Stack>
      {task.error !== null && <FailureNotice error={task.error} title="Could not sign in with the passkey" />}
      <Button variant="default" fullWidth loading={task.isRunning} onClick={task.start}>
        Sign in with a passkey
      </Button>
    </Stack>
  )
}

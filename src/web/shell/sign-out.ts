import { notifications } from '@mantine/notifications'
import { send } from '../api.ts'
import { leaveSession } from '../queries.ts'
import { navigate } from '../router.tsx'

export async function signOut(): Promise<void> {
  try {
    await send('POST', '/api/auth/sign-out', {})
  } catch (error) {
    notifications.show({ color: 'red', title: 'Could not sign out', message: String(error) })
    return
  }
  leaveSession()
  navigate('/sign-in', 'replace')
}

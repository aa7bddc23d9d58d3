import { send } from '../api.ts'
import { showFailure } from '../parts/toasts.tsx'
import { leaveSession } from '../queries.ts'
import { navigate } from '../router.tsx'

export async function signOut(): Promise<void> {
  try {
    await send('POST', '/api/auth/sign-out', {})
  } catch (error) {
    showFailure('Could not sign out', error)
    return
  }
  leaveSession()
  navigate('/sign-in', 'replace')
}

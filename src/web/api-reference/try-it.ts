import type { Session } from '../api-types.ts'
import { make } from './dom.ts'
import { type Trial, tryForm } from './try-form.ts'

/**
 * Buttons open a form that sends a request as the person who is signed in, to their own company. It goes to the API of
 * the settings page, so that no key and no secret is ever in the browser.
 */
export function startTrying(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('.try-button')) {
    const panel = make('div', { className: 'try', hidden: true })
    button.after(panel)
    button.addEventListener('click', async () => {
      panel.hidden = !panel.hidden
      button.ariaExpanded = String(!panel.hidden)
      // Somebody may have signed in since a form could not be shown.
      if (panel.hidden || panel.querySelector('form')) return
      const signIn = `/sign-in?next=${encodeURIComponent(`/docs#${button.closest('[data-section]')?.id}`)}`
      const trial = JSON.parse(button.dataset.trial ?? '') as Trial
      panel.replaceChildren(await contentOf(trial, signIn))
    })
  }
}

async function contentOf(trial: Trial, signIn: string): Promise<Node> {
  try {
    const session = await readSession()
    if (!session) return invitationTo(signIn)
    return session.companies.length > 0 ? tryForm(trial, session) : make('p', {}, 'You are in no company yet.')
  } catch {
    return make('p', {}, 'The server could not be reached. Check that you are online, then load the page again.')
  }
}

const invitationTo = (href: string): Node =>
  make(
    'p',
    {},
    make('a', { href }, 'Sign in'),
    ' to send this request to your own company, with what your role allows.',
  )

/** Null where nobody is signed in. */
async function readSession(): Promise<Session | null> {
  const response = await fetch('/api/session', { cache: 'no-store' })
  if (response.status === 401) return null
  if (!response.ok) throw new Error(`The session could not be read: ${response.status}`)
  return (await response.json()) as Session
}

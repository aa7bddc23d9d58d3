import { make } from './dom.ts'
import { indentJson } from './indent-json.ts'

const shownMax = 100_000

interface AnswerPart {
  readonly part: HTMLElement
  /** Sends a request, and shows its status, how long it took, its headers and its body. */
  show(path: string, init: RequestInit): Promise<void>
}

export function answerPart(): AnswerPart {
  const status = make('p', { role: 'status' })
  const rest = make('div')
  const say = (words: string, isGood: boolean) => {
    status.className = isGood ? 'try-status' : 'try-status refused'
    status.textContent = words
  }
  const show = async (path: string, init: RequestInit) => {
    say('Sending…', true)
    rest.replaceChildren()
    const startedAt = performance.now()
    try {
      const response = await fetch(path, { ...init, cache: 'no-store' })
      const text = await response.text()
      say(statusOf(response, performance.now() - startedAt), response.ok)
      rest.replaceChildren(headersOf(response), text === '' ? make('p', {}, 'No body.') : bodyOf(response, text))
    } catch {
      say('The server could not be reached. Check that you are online, then try again.', false)
    }
  }
  return { part: make('div', {}, status, rest), show }
}

const statusOf = ({ status, statusText }: Response, ms: number): string =>
  `${status} ${statusText} in ${Math.round(ms)} ms`

function headersOf({ headers }: Response): HTMLElement {
  const lines = [...headers].map(([name, value]) => `${name}: ${value}`).join('\n')
  return make('details', {}, make('summary', {}, 'Headers'), make('pre', { tabIndex: 0 }, lines))
}

function bodyOf({ headers }: Response, text: string): HTMLElement {
  const shown = /\bjson\b/.test(headers.get('Content-Type') ?? '') ? indentJson(text) : text
  const copy = make('button', { type: 'button', className: 'copy' }, 'Copy')
  const more = shown.length > shownMax ? `\n… and ${shown.length - shownMax} more characters` : ''
  const code = make('pre', { tabIndex: 0, role: 'group', ariaLabel: 'Answer' }, shown.slice(0, shownMax) + more)
  return make('figure', { className: 'code' }, make('figcaption', {}, 'Answer', copy), code)
}

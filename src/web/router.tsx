import { type MouseEvent, useSyncExternalStore } from 'react'
import { splitPath } from './paths.ts'

/** Where the person is: the company and the path within it, and what comes after the question mark. */
export interface Place {
  readonly fullPath: string
  /** Null on pages that are no company's. */
  readonly companyId: string | null
  readonly path: string
  readonly search: URLSearchParams
}

const listeners = new Set<() => void>()
let askBeforeLeaving: (() => void) | null = null
let current = location.href
let moves = 0

addEventListener('popstate', () => {
  if (askBeforeLeaving) {
    // The step back has been taken already: go forward again, and ask.
    history.pushState(null, '', current)
    askBeforeLeaving()
    return
  }
  moves++
  moved()
})

function moved(): void {
  current = location.href
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function usePlace(): Place {
  const href = useSyncExternalStore(subscribe, () => location.pathname + location.search)
  const question = href.indexOf('?')
  const fullPath = question < 0 ? href : href.slice(0, question)
  const search = new URLSearchParams(question < 0 ? '' : href.slice(question))
  return { fullPath, ...splitPath(fullPath), search }
}

// The server knows all pages, also those of the resources, before anybody has signed in.
const unknownHref =
  document.querySelector('meta[name="status"]')?.getAttribute('content') === '404' ? location.href : null

/** Whether the server has no page at this address. */
export const isUnknownAddress = (): boolean => location.href === unknownHref

/** Whether the person came here by a link of ours, so that the browser did not announce the page. */
export const hasNavigated = (): boolean => moves > 0

export function navigate(to: string, how: 'push' | 'replace' = 'push'): void {
  moves++
  if (how === 'replace') history.replaceState(null, '', to)
  else history.pushState(null, '', to)
  moved()
}

/** Shows the page under its full address. The browser has announced it already. */
export function redirect(to: string): void {
  history.replaceState(null, '', to)
  moved()
}

/** Changes some of what comes after the question mark. Null, the empty text and no texts take a name away. */
export function changeSearch(
  changes: Readonly<Record<string, string | readonly string[] | null>>,
  how: 'push' | 'replace' = 'push',
): void {
  const search = new URLSearchParams(location.search)
  for (const [name, value] of Object.entries(changes)) {
    search.delete(name)
    for (const text of typeof value === 'string' ? [value] : (value ?? [])) if (text !== '') search.append(name, text)
  }
  const text = search.toString()
  navigate(location.pathname + (text === '' ? '' : `?${text}`), how)
}

/** Until the returned function is called, neither the back button nor closing the window leaves without asking. */
export function holdPage(ask: () => void): () => void {
  const warn = (event: BeforeUnloadEvent) => event.preventDefault()
  askBeforeLeaving = ask
  addEventListener('beforeunload', warn)
  return () => {
    askBeforeLeaving = null
    removeEventListener('beforeunload', warn)
  }
}

/** `{...linkTo('/sign-in')}` makes any anchor move within the app, and leaves new tabs to the browser. */
export function linkTo(to: string) {
  return {
    href: to,
    onClick: (event: MouseEvent) => {
      if (event.defaultPrevented || event.button !== 0) return
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
      event.preventDefault()
      navigate(to)
    },
  }
}

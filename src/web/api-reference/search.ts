import { find } from './dom.ts'

interface Item {
  readonly id: string
  readonly kind: string
  readonly title: string
  readonly words: string
}

const shownMax = 20

/** Finds parameters, operations, fields, error codes and whatever else the page explains. */
export function startSearch(): void {
  const input = find<HTMLInputElement>('.search input')
  const list = find('#found')
  const status = find('.search [role="status"]')
  const items = itemsOf()
  let chosen = 0

  const close = () => {
    list.hidden = true
    input.setAttribute('aria-expanded', 'false')
    input.removeAttribute('aria-activedescendant')
  }
  const choose = (at: number) => {
    chosen = (at + list.children.length) % list.children.length
    for (const [place, option] of [...list.children].entries())
      option.setAttribute('aria-selected', String(place === chosen))
    const option = list.children[chosen]
    option?.scrollIntoView({ block: 'nearest' })
    if (option) input.setAttribute('aria-activedescendant', option.id)
  }
  const show = () => {
    const found = input.value.trim() === '' ? [] : search(items, input.value)
    list.replaceChildren(...found.slice(0, shownMax).map(optionOf))
    status.textContent = input.value.trim() === '' ? '' : `${found.length} found`
    if (found.length === 0) return close()
    list.hidden = false
    input.setAttribute('aria-expanded', 'true')
    choose(0)
  }
  const follow = (option: Element | undefined) => {
    const id = option?.getAttribute('data-id')
    if (!id) return
    close()
    input.blur()
    location.hash = id
  }

  input.addEventListener('input', show)
  input.addEventListener('focus', show)
  input.addEventListener('blur', close)
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') return close()
    if (list.hidden) return
    if (event.key === 'ArrowDown') choose(chosen + 1)
    else if (event.key === 'ArrowUp') choose(chosen - 1)
    else if (event.key === 'Enter') follow(list.children[chosen])
    else return
    event.preventDefault()
  })
  // Before the field loses the focus, and with it the list.
  list.addEventListener('pointerdown', (event) => {
    event.preventDefault()
    if (event.target instanceof Element) follow(event.target.closest('li') ?? undefined)
  })
  addEventListener('keydown', (event) => {
    const isShortcut = event.key === '/' || (event.key === 'k' && (event.ctrlKey || event.metaKey))
    if (!isShortcut || isTyping(event.target)) return
    event.preventDefault()
    input.focus()
    input.select()
  })
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.matches('input, textarea, select')

/** What the server has marked, with the words in it. */
const itemsOf = (): Item[] =>
  [...document.querySelectorAll<HTMLElement>('[data-kind]')].map(({ id, dataset, textContent }) => ({
    ...{ id, kind: dataset.kind ?? '', title: dataset.title ?? '' },
    words: (dataset.words ?? textContent).toLowerCase(),
  }))

/** Those that have all words of a query: first those that are called so, then those whose name has it, then the others. */
function search(items: readonly Item[], query: string): Item[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const ranked = items.flatMap((item) => {
    const title = item.title.toLowerCase()
    if (!words.every((word) => title.includes(word) || item.words.includes(word))) return []
    const inTitle = words.every((word) => title.includes(word))
    const rank = title === words.join(' ') ? 0 : title.startsWith(words[0] ?? '') && inTitle ? 1 : inTitle ? 2 : 3
    return [{ item, rank }]
  })
  return ranked.toSorted((one, other) => one.rank - other.rank).map(({ item }) => item)
}

function optionOf({ id, kind, title }: Item, at: number): HTMLElement {
  const option = document.createElement('li')
  option.id = `found-${at}`
  option.setAttribute('role', 'option')
  option.setAttribute('data-id', id)
  const [name, note] = [document.createElement('span'), document.createElement('span')]
  name.textContent = title
  note.textContent = kind
  note.className = 'kind'
  option.append(name, note)
  return option
}

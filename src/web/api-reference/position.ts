import { find } from './dom.ts'

/** Marks in the navigation what is on the screen. */
export function markPosition(): void {
  const navigation = find('#navigation')
  const sections = [...document.querySelectorAll<HTMLElement>('[data-section]')]
  let marked: Element | null = null

  const mark = () => {
    const here = sections.findLast((section) => section.getBoundingClientRect().top < innerHeight / 3) ?? sections[0]
    const link = navigation.querySelector(`a[href="#${CSS.escape(here?.id ?? '')}"]`)
    if (link === marked) return
    marked?.removeAttribute('aria-current')
    link?.setAttribute('aria-current', 'location')
    marked = link
    keepInSight(navigation, link)
  }
  let isDue = false
  const markSoon = () => {
    if (isDue) return
    isDue = true
    requestAnimationFrame(() => {
      isDue = false
      mark()
    })
  }
  addEventListener('scroll', markSoon, { passive: true })
  addEventListener('resize', markSoon)
  mark()
}

function keepInSight(navigation: HTMLElement, link: Element | null): void {
  if (!link || navigation.scrollHeight <= navigation.clientHeight) return
  const [outer, inner] = [navigation.getBoundingClientRect(), link.getBoundingClientRect()]
  if (inner.top < outer.top || inner.bottom > outer.bottom)
    navigation.scrollTop += inner.top - outer.top - outer.height / 2
}

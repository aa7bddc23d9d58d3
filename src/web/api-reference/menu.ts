import { find } from './dom.ts'

/** On a narrow screen, the navigation is behind a button. */
export function startMenu(): void {
  const [button, navigation] = [find('.menu-button'), find('#navigation')]
  const show = (isOpen: boolean) => {
    button.setAttribute('aria-expanded', String(isOpen))
    button.textContent = isOpen ? 'Close' : 'Menu'
    navigation.toggleAttribute('data-open', isOpen)
  }
  button.addEventListener('click', () => show(!navigation.hasAttribute('data-open')))
  navigation.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a')) show(false)
  })
  addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !navigation.hasAttribute('data-open')) return
    show(false)
    button.focus()
  })
}

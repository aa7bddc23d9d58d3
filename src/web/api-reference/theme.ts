import { find } from './dom.ts'

const themes = ['auto', 'light', 'dark'] as const
type Theme = (typeof themes)[number]

const labels: Readonly<Record<Theme, string>> = { auto: 'Theme: system', light: 'Theme: light', dark: 'Theme: dark' }

/** Where the settings app keeps the choice. */
const key = 'mantine-color-scheme-value'
const prefersDark = matchMedia('(prefers-color-scheme: dark)')

/** A button for the theme of the system, the light one and the dark one, in turns. */
export function startTheme(): void {
  const button = find('.theme-button')
  const label = find('span', button)
  const show = (theme: Theme) => {
    const shown = theme === 'auto' ? (prefersDark.matches ? 'dark' : 'light') : theme
    document.documentElement.setAttribute('data-mantine-color-scheme', shown)
    label.textContent = labels[theme]
  }
  button.addEventListener('click', () => {
    const next = themes[(themes.indexOf(readTheme()) + 1) % themes.length] ?? 'auto'
    keepTheme(next)
    show(next)
  })
  prefersDark.addEventListener('change', () => show(readTheme()))
  // Another window may have changed it.
  addEventListener('storage', () => show(readTheme()))
  show(readTheme())
}

let chosen: Theme | null = null

function readTheme(): Theme {
  try {
    return themes.find((theme) => theme === localStorage.getItem(key)) ?? 'auto'
  } catch {
    return chosen ?? 'auto'
  }
}

/** A browser may refuse to store anything; then the choice is for this page alone. */
function keepTheme(theme: Theme): void {
  chosen = theme
  try {
    localStorage.setItem(key, theme)
  } catch {}
}

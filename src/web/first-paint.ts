// Runs before the first paint, so that a chosen theme never flashes the other one. Mantine keeps the choice under this name.
const root = document.documentElement
const chosen = readChoice()
const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
root.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light')
// Pages of a company have a frame, which can be seen at once.
root.setAttribute('data-page', location.pathname.startsWith('/c/') ? 'own' : 'other')

function readChoice(): string | null {
  try {
    return localStorage.getItem('mantine-color-scheme-value')
  } catch {
    return null
  }
}

export {}

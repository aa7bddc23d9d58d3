// Runs before the first paint, so that a chosen theme never flashes the other one. Mantine keeps the choice under this name.
const chosen = readChoice()
const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light')

function readChoice(): string | null {
  try {
    return localStorage.getItem('mantine-color-scheme-value')
  } catch {
    return null
  }
}

export {}

const browsers = [
  ['Edge', /Edg\//],
  ['Opera', /OPR\//],
  ['Firefox', /Firefox\//],
  ['Chrome', /Chrome\//],
  ['Safari', /Safari\//],
  ['curl', /^curl\//],
] as const

const systems = [
  ['Android', /Android/],
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS/],
  ['Linux', /Linux/],
] as const

/** `Mozilla/5.0 (X11; Linux x86_64) … Chrome/140.0 Safari/537.36` → Chrome on Linux */
export function deviceName(userAgent: string | null): string {
  const text = userAgent ?? ''
  const browser = browsers.find(([, pattern]) => pattern.test(text))?.[0]
  const system = systems.find(([, pattern]) => pattern.test(text))?.[0]
  if (browser && system) return `${browser} on ${system}`
  return browser ?? system ?? (text.slice(0, 40) || 'Unknown device')
}

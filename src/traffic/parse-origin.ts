/** `https://`, a name of the DNS and a port. */
const lengthMax = 'https://'.length + 253 + ':65535'.length

/** `http://localhost:8080` → its parts; null for what is none. Of a long name the parser would take time that grows with the square of its labels. */
export const parseOrigin = (text: string): URL | null =>
  text.length <= lengthMax && URL.canParse(text) ? new URL(text) : null

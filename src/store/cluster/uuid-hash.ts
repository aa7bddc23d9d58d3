/** PostgreSQL's hash of a uuid, by which Citus chooses the shard of a company: `select uuid_hash('…')`. */
export function uuidHash(uuid: string): number {
  const words = wordsOf(uuid.replaceAll('-', ''))
  // Bob Jenkins' lookup3, as in PostgreSQL's hashfn.c, for 16 bytes: three words are mixed in, and then the fourth.
  let a = (start + (words[0] ?? 0)) | 0
  let b = (start + (words[1] ?? 0)) | 0
  let c = (start + (words[2] ?? 0)) | 0
  const mixing: readonly number[] = [4, 6, 8, 16, 19, 4]
  for (const bits of mixing) {
    const mixed = ((a - c) | 0) ^ rotate(c, bits)
    const moved = (c + b) | 0
    a = b
    b = moved
    c = mixed
  }
  a = (a + (words[3] ?? 0)) | 0
  const ending: readonly number[] = [14, 11, 25, 16, 4, 14, 24]
  for (const bits of ending) {
    const ended = ((c ^ b) - rotate(b, bits)) | 0
    c = a
    a = b
    b = ended
  }
  return b
}

/** The golden ratio, the number of bytes, and PostgreSQL's own constant. */
const start = (0x9e3779b9 + 16 + 3923095) | 0

const rotate = (word: number, bits: number): number => (word << bits) | (word >>> (32 - bits))

/** Four words, each with its lowest byte first. */
function wordsOf(digits: string): number[] {
  return [0, 8, 16, 24].map((at) => {
    const bytes = [6, 4, 2, 0].map((offset) => digits.slice(at + offset, at + offset + 2)).join('')
    return Number.parseInt(bytes, 16) | 0
  })
}

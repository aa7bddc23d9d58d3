import { constants, createGunzip, createZstdDecompress } from 'node:zlib'
import { failure } from '../errors/index.ts'
import type { Hold } from '../traffic/byte-budget.ts'
import { type Coding, codings } from './choose-coding.ts'
import { isWholeZstd } from './is-whole-zstd.ts'

/** How a body is compressed, by its Content-Encoding; null: not at all. */
export function parseContentEncoding(header: string | null): Coding | null {
  const name = header?.trim().toLowerCase() ?? ''
  if (name === '' || name === 'identity') return null
  const coding = codings.find((one) => one === name || `x-${one}` === name)
  if (coding === undefined) throw failure.codingUnsupported(header ?? '', codings.join(', '))
  return coding
}

const chunkSize = 64 * 1024

const decompressors = {
  gzip: () => createGunzip({ chunkSize }),
  // A few bytes can ask for a window of 128 MiB; 8 MiB is what every encoder may use.
  zstd: () => createZstdDecompress({ chunkSize, params: { [constants.ZSTD_d_windowLogMax]: 23 } }),
} as const satisfies Record<Coding, unknown>

export interface InflateLimits {
  readonly bytesMax: number
  readonly hold: Hold | null
}

/** The body as it was before it was compressed. Stops where it becomes too large, however much would still come. */
export async function inflate(coding: Coding, body: Uint8Array, limits: InflateLimits): Promise<Uint8Array> {
  const { bytesMax, hold } = limits
  if (coding === 'zstd' && !isWholeZstd(body)) throw broken(coding)
  const decompressor = decompressors[coding]()
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    decompressor.end(body)
    for await (const chunk of decompressor as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength
      if (size > bytesMax) throw failure.bodyTooLarge(bytesMax)
      if (hold && !hold.tryHold(body.byteLength + size)) throw failure.overloaded()
      chunks.push(chunk)
    }
  } catch (error) {
    throw isBroken(error) ? broken(coding) : error
  } finally {
    decompressor.destroy()
  }
  return Buffer.concat(chunks)
}

const broken = (coding: Coding) =>
  failure.bodyInvalid(
    `The body is not valid ${coding}`,
    'Compress it again, or send it as it is, without Content-Encoding.',
  )

/** What the decompressor says of bytes that are not its own. */
const isBroken = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^(?:Z_|ZSTD_|ERR_)/.test(String(error.code))

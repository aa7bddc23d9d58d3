import type { IncomingMessage } from 'node:http'

/** As much of an answer as is stored. */
const charactersMax = 256
const bytesMax = 4 * charactersMax
/** The status says whether it was received. A slow body must not hold the connection. */
const waitMsMax = 2000

/** The first characters of the body, or as many as came in time. */
export async function readAnswer(response: IncomingMessage, timeout: AbortSignal): Promise<string> {
  const parts: Buffer[] = []
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(end, waitMsMax)
    timeout.addEventListener('abort', end)
    let bytes = 0
    response.on('data', (part: Buffer) => {
      parts.push(part)
      bytes += part.length
      if (bytes >= bytesMax) end()
    })
    for (const event of ['end', 'error', 'close'] as const) response.on(event, end)
  })
  response.destroy()
  const text = new TextDecoder().decode(Buffer.concat(parts).subarray(0, bytesMax))
  // No engine stores U+0000, and half of a surrogate pair is no text.
  return text.replaceAll('\0', '').slice(0, charactersMax).toWellFormed()
}

const magic = 0xfd2fb528
const skippableMagic = 0x184d2a50
const repeatedBlock = 1

/** Whether a body consists of whole zstd frames (RFC 8878). Bun's decompressor reports no error for one that was cut off. */
export function isWholeZstd(body: Uint8Array): boolean {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength)
  let at = 0
  try {
    while (at < view.byteLength) at = frameEnd(view, at)
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
  return at === view.byteLength
}

/** Throws a RangeError if the frame has no end, or is none. */
function frameEnd(view: DataView, start: number): number {
  const found = view.getUint32(start, true)
  if ((found & 0xfffffff0) === skippableMagic) return start + 8 + view.getUint32(start + 4, true)
  if (found !== magic) throw new RangeError('Not a zstd frame')
  const descriptor = view.getUint8(start + 4)
  let at = start + headerBytes(descriptor)
  for (let isLast = false; !isLast; ) {
    const block = view.getUint16(at, true) | (view.getUint8(at + 2) << 16)
    isLast = (block & 1) === 1
    at += 3 + (((block >> 1) & 3) === repeatedBlock ? 1 : block >> 3)
  }
  const hasChecksum = (descriptor & 4) !== 0
  return at + (hasChecksum ? 4 : 0)
}

/** The magic number, the descriptor, and the fields of variable size that it announces. */
function headerBytes(descriptor: number): number {
  const isSingleSegment = (descriptor & 32) !== 0
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3] ?? 0
  const sizeFlag = descriptor >> 6
  const sizeBytes = sizeFlag === 0 ? (isSingleSegment ? 1 : 0) : 1 << sizeFlag
  return 5 + (isSingleSegment ? 0 : 1) + dictionaryBytes + sizeBytes
}

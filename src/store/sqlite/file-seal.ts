import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'

/** `user_version`: four bytes in the header of a SQLite file for the application. Here: 0, or the checksum. */
const sealAt = 60
const sealBytes = 4
const partBytes = 1_048_576

/** Writes a checksum of the whole file into it. SQLite has none, so it would not notice a changed byte in a text. */
export function sealFile(path: string): void {
  const file = openSync(path, 'r+')
  try {
    const seal = Buffer.alloc(sealBytes)
    seal.writeUInt32BE(checksum(file))
    writeSync(file, seal, 0, sealBytes, sealAt)
  } finally {
    closeSync(file)
  }
}

/** Whether a file is unchanged since it was sealed. True for a file that was never sealed. */
export function isIntact(path: string): boolean {
  const file = openSync(path, 'r')
  try {
    const seal = Buffer.alloc(sealBytes)
    readSync(file, seal, 0, sealBytes, sealAt)
    return seal.readUInt32BE() === 0 || seal.readUInt32BE() === checksum(file)
  } finally {
    closeSync(file)
  }
}

/** Of all bytes except the seal. Never 0, which means "not sealed". */
function checksum(file: number): number {
  const part = Buffer.alloc(partBytes)
  let sum = 0
  for (let at = 0; ; ) {
    const length = readSync(file, part, 0, partBytes, at)
    if (length === 0) return sum || 1
    if (at === 0) part.fill(0, sealAt, sealAt + sealBytes)
    sum = crc32(part.subarray(0, length), sum)
    at += length
  }
}

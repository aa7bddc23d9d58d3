import { BoundedMap } from '../caches/bounded-map.ts'
import { failure } from '../errors/index.ts'
import { companyRows } from './compile/company-rows.ts'
import type { CompanyStore } from './database.ts'
import { sql } from './sql.ts'

/** The limits for one answer stored for an Idempotency-Key, and for all of one company. */
const answerBytesMax = 1_048_576
const companyBytesMax = 64 * answerBytesMax

/** Other processes write and delete records too, so they are counted again after this time. */
const countedMs = 300_000
const countedWhenFullMs = 10_000
const retrySeconds = 60

const companiesMax = 10_000

/** The size of a company's stored answers. */
interface Room {
  bytes: number
  countedAt: number
  counting: Promise<void> | null
}

/** There may be too many records to count them at every request. So each process keeps a sum, and counts now and then. */
const rooms = new BoundedMap<Room>(companiesMax)

/** Room for one more answer of a company. */
export interface KeptAnswers {
  /** Throws if there is no room left. Called before any work is done. */
  requireRoom(): void
  /** Throws if an answer with so many characters of rows cannot be stored. Called before the answer is made. */
  requireShort(characters: number): void
  /** Throws if this answer is too large or there is no room for it. Otherwise adds it to the sum. */
  add(body: string | null): void
  /** Subtracts what a failed request has added. */
  undo(): void
}

/** The first request of a company waits until its records are counted. */
export async function openKeptAnswers(db: CompanyStore): Promise<KeptAnswers> {
  const room = rooms.get(db.companyId) ?? openRoom(db.companyId)
  const isKnown = room.countedAt > 0
  if (isDue(room) && !room.counting) room.counting = count(db, room)
  // If a later count fails, a later request tries again.
  if (isKnown) room.counting?.catch(() => {})
  else await room.counting
  let added = 0
  return {
    requireRoom: () => {
      if (room.bytes >= companyBytesMax) throw failure.idempotencyFull(retrySeconds)
    },
    requireShort,
    add: (body) => {
      const bytes = body === null ? 0 : Buffer.byteLength(body)
      requireShort(bytes)
      if (room.bytes + bytes > companyBytesMax) throw failure.idempotencyFull(retrySeconds)
      room.bytes += bytes
      added += bytes
    },
    undo: () => {
      room.bytes -= added
      added = 0
    },
  }
}

function requireShort(length: number): void {
  if (length > answerBytesMax) throw failure.idempotentAnswerTooLarge(answerBytesMax)
}

function openRoom(companyId: string): Room {
  const room = { bytes: 0, countedAt: 0, counting: null }
  rooms.set(companyId, room)
  return room
}

function isDue({ bytes, countedAt }: Room): boolean {
  const keptMs = bytes < companyBytesMax / 2 ? countedMs : countedWhenFullMs
  return countedAt === 0 || performance.now() - countedAt > keptMs
}

/** Includes what is added during the count. */
async function count(db: CompanyStore, room: Room): Promise<void> {
  const before = room.bytes
  try {
    const [[bytes] = []] = await db.readReport(
      ['idempotency'],
      sql`select sum(octet_length(body)) from ${companyRows('idempotency', db)}`,
    )
    room.bytes = Number(bytes ?? 0) + Math.max(0, room.bytes - before)
    room.countedAt = performance.now()
  } finally {
    room.counting = null
  }
}

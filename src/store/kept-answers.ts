import { BoundedMap } from '../caches/bounded-map.ts'
import { failure } from '../errors/index.ts'
import { companyRows } from './compile/company-rows.ts'
import type { CompanyStore } from './database.ts'
import { sql } from './sql.ts'

/** One answer that is kept for an Idempotency-Key, and all of one company together. */
const answerBytesMax = 1_048_576
const companyBytesMax = 64 * answerBytesMax

/** What is written and deleted elsewhere is noticed when the records are counted again. */
const countedMs = 300_000
const countedWhenFullMs = 10_000
const retrySeconds = 60

const companiesMax = 10_000

/** How much room the kept answers of one company take. */
interface Room {
  bytes: number
  countedAt: number
  counting: Promise<void> | null
}

/** Records cannot be counted at every request: they may be many. So each process keeps the sum, and counts now and then. */
const rooms = new BoundedMap<Room>(companiesMax)

/** Room for one more answer of a company. */
export interface KeptAnswers {
  /** Throws where there is no room left, before any work is done for it. */
  requireRoom(): void
  /** Throws where no answer with so many characters of rows can be kept, before it is made. */
  requireShort(characters: number): void
  /** Throws where this answer is too large, or there is no room for it; otherwise it counts from now on. */
  add(body: string | null): void
  /** Takes back what was added by a request that has failed. */
  undo(): void
}

/** The first request of a company waits until its records are counted. */
export async function openKeptAnswers(db: CompanyStore): Promise<KeptAnswers> {
  const room = rooms.get(db.companyId) ?? openRoom(db.companyId)
  const isKnown = room.countedAt > 0
  if (isDue(room) && !room.counting) room.counting = count(db, room)
  // A later count that fails is tried again by a later request.
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

/** What is added meanwhile counts as well. */
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

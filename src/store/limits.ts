/** What may be done in the thread that serves requests: about 10 ms, in the unit of `Cost.work`. */
export const workMax = 100_000

/** The same while several companies ask: they take turns, and each waits for several statements of others. */
export const sharedWorkMax = 10_000

/** A list of up to this many rows is read by one statement; a longer one is streamed. */
export const pageRows = 1000

/** The text of one page. A larger one is streamed in parts. */
export const pageBytesMax = 4 * 1024 * 1024

/** The text of one part of a stream whose rows need not be sorted again for each part. */
export const partBytesMax = 256 * 1024

/** What may be embedded in one row. */
export const embeddedBytesMax = 8 * 1024 * 1024

/** Text of all rows that a write shows. */
export const writtenBytesMax = 8 * 1024 * 1024

/** The same from which its memory is counted. Shown in another form, it may be twice as long: then finish.ts counts it. */
export const countedBytes = 32 * 1024

/** Rows that a write looks at and sends together, and their text. Each part is followed by a wait, in which other requests are served. */
export const writePart = { rows: 500, bytes: 1024 * 1024 }

/** Rows with a company's own fields that a write reads whole before it knows how large they are: less than one part, whatever they have. */
export const unmeasuredRows = 5

/** Rows that an embedded engine inserts in the thread that serves requests: about five milliseconds, with their events. */
export const smallInsertRows = 250

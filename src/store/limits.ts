/** A list up to this long is one statement and one piece of text; a longer one is streamed. */
export const pageRows = 1000

/** Text of one page: more is sent as a stream of several parts. */
export const pageBytesMax = 4 * 1024 * 1024

/** Text of one part of a stream, where its rows need not be sorted anew for each. */
export const partBytesMax = 1024 * 1024

/** What may be embedded in one row. */
export const embeddedBytesMax = 8 * 1024 * 1024

/** Text of all rows that a write shows. */
export const writtenBytesMax = 8 * 1024 * 1024

/** Rows that are inserted by a statement on the thread that serves, where the engine works in it. */
export const smallInsertRows = 1000

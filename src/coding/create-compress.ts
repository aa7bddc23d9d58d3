import { availableParallelism } from 'node:os'
import { constants, createGzip, createZstdCompress, type Gzip, type ZstdCompress } from 'node:zlib'
import type { Encoder } from '../traffic/paced-stream.ts'
import { createIsAlone, createTurns } from '../traffic/turns.ts'
import type { Coding } from './choose-coding.ts'

/** Compresses one answer of `who`. */
export type Compress = (coding: Coding, who: string) => Encoder

/** The memory of one compressor, of either coding. */
const compressorBytes = 256 * 1024

/** A chunk of an answer usually becomes less than half of this. */
const chunkSize = 32 * 1024

type Compressor = Gzip | ZstdCompress

/** Quick settings: on lists of rows, slower ones save less than a tenth more. */
const makers: Readonly<Record<Coding, { readonly make: () => Compressor; readonly flush: number }>> = {
  gzip: { make: () => createGzip({ chunkSize, level: 3 }), flush: constants.Z_SYNC_FLUSH },
  zstd: {
    make: () =>
      createZstdCompress({
        chunkSize,
        params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_windowLog]: 17 },
      }),
    flush: constants.ZSTD_e_flush,
  },
}

/** Chunks are compressed on other threads. One core is left to the thread that serves, and companies take turns at the others. */
export function createCompress(): Compress {
  const cores = availableParallelism()
  const turns = createTurns(
    {
      atOnce: Math.max(1, cores - 1),
      atOnceAlone: cores,
      reserved: 1,
      // The memory of answers limits how many wait, and an answer that has begun cannot be refused any more.
      waitingMax: Number.POSITIVE_INFINITY,
      waitMsMax: Number.POSITIVE_INFINITY,
    },
    createIsAlone(),
  )
  return (coding, who) => {
    const encoder = new OneEncoder(coding)
    const inTurn = async (work: () => Promise<Uint8Array>): Promise<Uint8Array> => {
      const slot = await turns.acquire(who)
      try {
        return await work()
      } finally {
        turns.release(who, slot)
      }
    }
    return {
      bytes: compressorBytes,
      encode: (chunk) => inTurn(() => encoder.encode(chunk)),
      end: () => inTurn(() => encoder.end()),
      close: () => encoder.close(),
    }
  }
}

const nothing = new Uint8Array(0)

class OneEncoder {
  /** Made with the first chunk: an answer to HEAD has none. */
  private compressor: Compressor | null = null
  private made: Uint8Array[] = []
  private failed: (error: Error) => void = () => {}
  private isWorking = false
  private isClosed = false

  constructor(private readonly coding: Coding) {}

  /** The client can read each chunk as soon as it has arrived. */
  encode(chunk: Uint8Array): Promise<Uint8Array> {
    return this.work((compressor, done) => {
      compressor.write(chunk)
      compressor.flush(makers[this.coding].flush, done)
    })
  }

  end(): Promise<Uint8Array> {
    return this.work((compressor, done) => void compressor.once('end', done).end())
  }

  /** Work under way ends first: nothing would tell when the memory that it writes to is free. */
  close(): void {
    this.isClosed = true
    if (this.isWorking) return
    this.compressor?.destroy()
    this.compressor = null
  }

  private async work(start: (compressor: Compressor, done: () => void) => void): Promise<Uint8Array> {
    if (this.isClosed) return nothing
    this.compressor ??= this.open()
    const { compressor } = this
    this.isWorking = true
    try {
      await new Promise<void>((resolve, reject) => {
        this.failed = reject
        start(compressor, resolve)
      })
      return this.takeMade()
    } finally {
      this.isWorking = false
      if (this.isClosed) this.close()
    }
  }

  private open(): Compressor {
    const compressor = makers[this.coding].make()
    compressor.on('data', (bytes: Uint8Array) => this.made.push(bytes))
    compressor.on('error', (error) => this.failed(error))
    return compressor
  }

  private takeMade(): Uint8Array {
    const [first = nothing, ...more] = this.made
    this.made = []
    return more.length === 0 ? first : Buffer.concat([first, ...more])
  }
}

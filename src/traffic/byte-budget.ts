/** A limit on the memory for request bodies and responses in flight, shared by all companies. */
export interface ByteBudget {
  /** A hold for one request of `who`, of 0 bytes at first. */
  hold(who: string, share?: Share): Hold
  load(): ByteLoad
}

interface ByteLoad {
  readonly held: number
  readonly refused: number
}

/** The bytes that one request holds. */
export interface Hold {
  readonly bytes: number
  /** Whether it may hold so many. */
  fits(bytes: number): boolean
  /** Sets the number of bytes held. Returns false, and changes nothing, if that exceeds the budget. */
  tryHold(bytes: number): boolean
  /** Adds to the bytes held. Returns false, and changes nothing, if no part of the company's share is left; the sum may exceed the share. */
  tryMore(bytes: number): boolean
  /** The same without a limit, for bytes that are in memory already. */
  hold(bytes: number): void
  /** Frees the bytes. The hold cannot be used again. */
  release(): void
}

/**
 * One company may hold a quarter of the budget. What others send is small, and anybody can send it: one person without a
 * company, or one of the eight lanes of strangers, may hold so little that all strangers together hold no more than a company.
 */
const shareDivisors = { company: 4, other: 32 } as const
type Share = keyof typeof shareDivisors
/** Every company may always hold this much, so that no company can block the small requests of another. */
const guaranteedBytes = 1024 * 1024

/** What other requests hold: those of the same company, and those of all. */
interface Others {
  readonly own: number
  readonly all: number
}

export function createByteBudget(bytesMax: number): ByteBudget {
  const held = new Map<string, number>()
  let total = 0
  let refused = 0

  const change = (who: string, difference: number): void => {
    total += difference
    const own = (held.get(who) ?? 0) + difference
    if (own === 0) held.delete(who)
    else held.set(who, own)
  }

  /** Whatever the shares are: what every company may hold, and the only request of all. */
  const isFree = (bytes: number, { own, all }: Others): boolean => own + bytes <= guaranteedBytes || all === 0

  class OneHold implements Hold {
    bytes = 0
    private isReleased = false

    constructor(
      private readonly who: string,
      private readonly shareMax: number,
    ) {}

    tryHold(bytes: number): boolean {
      return this.holdIf(this.fits(bytes), bytes)
    }

    fits(bytes: number): boolean {
      const { own, all } = this.others()
      // A company's only request may exceed its share: otherwise a large request could never be served.
      const isInShare = own === 0 || own + bytes <= this.shareMax
      return bytes <= this.bytes || isFree(bytes, { own, all }) || (isInShare && all + bytes <= bytesMax)
    }

    tryMore(more: number): boolean {
      const bytes = this.bytes + more
      const { own, all } = this.others()
      const isLeft = own < this.shareMax && all + bytes <= bytesMax
      return this.holdIf(isLeft || isFree(bytes, { own, all }), bytes)
    }

    /** What all requests but this one hold. */
    private others(): Others {
      return { own: (held.get(this.who) ?? 0) - this.bytes, all: total - this.bytes }
    }

    private holdIf(isAllowed: boolean, bytes: number): boolean {
      if (this.isReleased) return false
      if (isAllowed) this.hold(bytes)
      else refused += 1
      return isAllowed
    }

    hold(bytes: number): void {
      if (bytes === this.bytes || this.isReleased) return
      change(this.who, bytes - this.bytes)
      this.bytes = bytes
    }

    release(): void {
      this.hold(0)
      this.isReleased = true
    }
  }

  return {
    hold: (who, share = 'company') => new OneHold(who, bytesMax / shareDivisors[share]),
    load: () => ({ held: total, refused }),
  }
}

/** Memory for bodies on their way in and answers on their way out, shared by all companies. */
export interface ByteBudget {
  /** For one request of `who`: nothing is held yet. */
  hold(who: string): Hold
  load(): ByteLoad
}

interface ByteLoad {
  readonly held: number
  readonly refused: number
}

/** The bytes that one request holds. */
export interface Hold {
  readonly bytes: number
  /** Changes what is held; false, and no change, where that is too much. */
  tryHold(bytes: number): boolean
  /** The same without a limit, for what is in memory already. */
  hold(bytes: number): void
  /** Ends the hold: nothing can be held by it any more. */
  release(): void
}

/** The part of all that one company may hold. */
const sharesOf = 4
/** This little everyone may hold, however much others do: no company can keep another one from small requests. */
const keptBytes = 1024 * 1024

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

  /** One request alone may be larger than the share: it could never be served otherwise. */
  const fits = (bytes: number, beside: { readonly own: number; readonly all: number }): boolean => {
    const { own, all } = beside
    if (own + bytes <= keptBytes || all === 0) return true
    return all + bytes <= bytesMax && (own === 0 || own + bytes <= bytesMax / sharesOf)
  }

  class OneHold implements Hold {
    bytes = 0
    private isReleased = false

    constructor(private readonly who: string) {}

    tryHold(bytes: number): boolean {
      if (this.isReleased) return false
      const own = (held.get(this.who) ?? 0) - this.bytes
      const isAllowed = bytes <= this.bytes || fits(bytes, { own, all: total - this.bytes })
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

  return { hold: (who) => new OneHold(who), load: () => ({ held: total, refused }) }
}

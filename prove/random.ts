/** Numbers that look random, and are the same again for the same seed. */
export class Random {
  private state: number

  constructor(readonly seed: number) {
    this.state = seed >>> 0
  }

  /** From 0 up to 1, by mulberry32: good enough to choose by, and quick. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }

  /** A whole number from 0 up to, and without, `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end)
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item
  }

  /** One of the first, or rarely of the second. */
  mostly<Item>(usual: readonly Item[], rare: readonly Item[]): Item {
    return this.pick(this.chance(0.96) ? usual : rare)
  }

  /** As many as there happen to be, up to `most`. */
  some<Item>(most: number, make: () => Item): Item[] {
    return Array.from({ length: this.below(most + 1) }, make)
  }

  uuid(): string {
    const hex = Array.from({ length: 4 }, () =>
      Math.floor(this.next() * 0x1_0000_0000)
        .toString(16)
        .padStart(8, '0'),
    ).join('')
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
  }
}

/** The seed that `SEED` names, to see the same again; otherwise a new one. */
export function chosenSeed(): number {
  const given = Number(process.env.SEED)
  return Number.isInteger(given) && process.env.SEED ? given : (crypto.getRandomValues(new Uint32Array(1))[0] ?? 1)
}

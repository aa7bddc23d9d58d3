/** A map by text that stays small: it starts over when one more entry would exceed a limit. */
export class BoundedMap<Value> extends Map<string, Value> {
  private characters = 0

  constructor(
    private readonly entriesMax: number,
    /** For all keys together. */
    private readonly charactersMax = Number.POSITIVE_INFINITY,
  ) {
    super()
  }

  override set(key: string, value: Value): this {
    if (!this.has(key)) {
      if (this.size >= this.entriesMax || this.characters + key.length > this.charactersMax) this.clear()
      this.characters += key.length
    }
    return super.set(key, value)
  }

  override delete(key: string): boolean {
    const isGone = super.delete(key)
    if (isGone) this.characters -= key.length
    return isGone
  }

  override clear(): void {
    this.characters = 0
    super.clear()
  }
}

/** `requests` in `seconds`. */
export interface RatePolicy {
  readonly requests: number
  readonly seconds: number
}

/** `100/s` or `6000/m` → what it allows; null for any other text. */
export function parsePolicy(text: string): RatePolicy | null {
  const [, requests, unit] = /^([1-9]\d{0,8})\/([sm])$/.exec(text) ?? []
  return requests === undefined ? null : { requests: Number(requests), seconds: unit === 's' ? 1 : 60 }
}

/** The policy that allows fewer requests. */
export function narrower(one: RatePolicy | null, other: RatePolicy | null): RatePolicy | null {
  if (one === null || other === null) return one ?? other
  return one.requests * other.seconds <= other.requests * one.seconds ? one : other
}

/** A value or a promise of it. Avoids a microtask when the value is already there. */
export type Soon<Value> = Value | Promise<Value>

/**
 * Calls `work` with the value: at once, or when the promise is resolved. `given` is passed on to it, so that `work` can be
 * a plain function: a closure for each request would cost more time and memory.
 */
export const after = <Value, Given, Result>(
  value: Soon<Value>,
  work: (value: Value, given: Given) => Soon<Result>,
  given: Given,
): Soon<Result> => (value instanceof Promise ? later(value, work, given) : work(value, given))

const later = <Value, Given, Result>(
  value: Promise<Value>,
  work: (value: Value, given: Given) => Soon<Result>,
  given: Given,
): Promise<Result> => value.then((found) => work(found, given))

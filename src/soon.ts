/** What is there already where nothing has to be waited for: a promise costs more than many a thing that is promised. */
export type Soon<Value> = Value | Promise<Value>

/** Goes on with a value once it is there, and at once where it is. */
export const after = <Value, Result>(value: Soon<Value>, work: (value: Value) => Soon<Result>): Soon<Result> =>
  value instanceof Promise ? value.then(work) : work(value)

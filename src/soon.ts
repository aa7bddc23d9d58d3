/** What is there already where nothing has to be waited for: a promise costs more than many a thing that is promised. */
export type Soon<Value> = Value | Promise<Value>

/**
 * Goes on with a value once it is there, and at once where it is. What else the work needs is given along: a function made
 * for each request, and what it remembers, would cost more than many a piece of work.
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

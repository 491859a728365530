/**
 * Passes a value or the result of a promise to `next`. Runs synchronously if it can, so requests wait only when they
 * must.
 */
export const chain = <T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> =>
  value instanceof Promise ? value.then(next) : next(value)

/** Calls `next` with a value: synchronously unless it is a promise, so that a request waits only where it has to. */
export const chain = <T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> =>
  value instanceof Promise ? value.then(next) : next(value)

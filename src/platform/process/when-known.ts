/**
 * Goes on with a value: at once when it is there, so that what each request goes through waits only for what has to be
 * waited for.
 */
export const whenKnown = <T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> =>
  value instanceof Promise ? value.then(next) : next(value)

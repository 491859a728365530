/** A value that components may follow with `useSyncExternalStore`. */
export interface Store<T> {
  get: () => T
  set: (change: Partial<T>) => void
  subscribe: (told: () => void) => () => void
}

export function createStore<T extends object>(initial: T): Store<T> {
  let value = initial
  const followers = new Set<() => void>()
  return {
    get: () => value,
    set: (change) => {
      const isSame = Object.entries(change).every(([key, item]) => value[key as keyof T] === item)
      if (isSame) return
      value = { ...value, ...change }
      for (const told of followers) told()
    },
    subscribe: (told) => {
      followers.add(told)
      return () => followers.delete(told)
    },
  }
}

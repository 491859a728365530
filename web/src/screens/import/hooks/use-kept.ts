import { useState } from 'react'

interface Placed {
  row: number
}

/**
 * Keeps the items of a list that a person has changed at their place after they have left the list, until that is undone:
 * otherwise each change would move the list, and take away the way back.
 * @param keyOf what an item is known by
 * @param isChanged whether a person has changed it
 */
export function useKept<T extends Placed>(
  items: readonly T[],
  keyOf: (item: T) => string,
  isChanged: (item: T) => boolean,
): T[] {
  const [kept, setKept] = useState<ReadonlyMap<string, T>>(new Map())
  const added = items.filter((item) => isChanged(item) && !kept.has(keyOf(item)))
  if (added.length > 0) setKept(new Map([...kept, ...added.map((item) => [keyOf(item), item] as const)]))
  const listed = new Set(items.map(keyOf))
  const gone = [...kept.values()].filter((item) => !listed.has(keyOf(item)) && isChanged(item))
  const present = items.map((item) => (isChanged(item) ? (kept.get(keyOf(item)) ?? item) : item))
  return gone.length === 0 ? present : [...present, ...gone].sort((one, other) => one.row - other.row)
}

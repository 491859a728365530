import { useState } from 'react'

interface Placed {
  row: number
}

/**
 * Keeps the items of a list that the user has changed at their position until the change is undone, even after they
 * have left the list. Otherwise each change would shift the list and remove the way to undo it.
 * @param keyOf identifies an item
 * @param isChanged whether the user has changed it
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

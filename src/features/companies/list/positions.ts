import { LRUCache } from 'lru-cache'

/** A position in a list: how many of its records are older than the record with this id. */
export interface Position {
  rank: number
  id: string
}

/** What has happened to the table since the positions of a list were last checked. */
export interface Progress {
  version: number
  /** The number of changes in the change log. */
  folded: number
  /** The oldest record that has changed. Older positions stay valid. */
  oldestChange: string | null
}

interface ListPositions {
  version: number
  folded: number
  /** In ascending order of rank, which is the order of ids. */
  positions: Position[]
}

const MAX_CACHED_LISTS = 50
const MAX_POSITIONS_PER_LIST = 5000

/**
 * Positions of deep pages that were read. The next deep page is counted from the nearest one, not from the start of the
 * list. Ranks are counted from the oldest record, so that new records leave them valid.
 */
export class PositionCache {
  readonly #lists = new LRUCache<string, ListPositions>({ max: MAX_CACHED_LISTS })

  /** The value of `folded` when the positions of a list were last checked. */
  checkedAt(key: string): number | undefined {
    return this.#lists.get(key)?.folded
  }

  /** The nearest position with at least this rank, or at most this rank. */
  nearest(key: string, rank: number, direction: 'above' | 'below'): Position | undefined {
    const positions = this.#lists.get(key)?.positions ?? []
    return direction === 'above'
      ? positions[firstIndex(positions, (position) => position.rank >= rank)]
      : positions[firstIndex(positions, (position) => position.rank > rank) - 1]
  }

  /** Removes the positions of a list, because the change log no longer covers them. */
  delete(key: string): void {
    this.#lists.delete(key)
  }

  /** Removes positions that changes have made invalid. Returns false if a later check was faster. */
  check(key: string, { version, folded, oldestChange }: Progress): boolean {
    const cached = this.#lists.get(key)
    if (cached && cached.version > version) return false
    const positions = cached?.positions ?? []
    if (oldestChange !== null) positions.length = firstIndex(positions, ({ id }) => id >= oldestChange)
    this.#lists.set(key, { version, folded, positions })
    return true
  }

  add(key: string, position: Position): void {
    const { positions } = this.#lists.get(key) ?? { positions: [] }
    if (positions.length >= MAX_POSITIONS_PER_LIST) return
    const index = firstIndex(positions, ({ rank }) => rank >= position.rank)
    if (positions[index]?.rank !== position.rank) positions.splice(index, 0, position)
  }
}

/** The index of the first position that passes a test which all later ones pass too. */
function firstIndex(positions: Position[], test: (position: Position) => boolean): number {
  let low = 0
  let high = positions.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (test(positions[middle] as Position)) high = middle
    else low = middle + 1
  }
  return low
}

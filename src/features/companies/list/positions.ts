import { LRUCache } from 'lru-cache'

/** A position in a list: the offset of the record with this id. */
export interface Position {
  offset: number
  id: string
}

interface ListPositions {
  version: number
  /** In ascending order of offset. */
  positions: Position[]
}

const MAX_CACHED_LISTS = 50
const MAX_POSITIONS_PER_LIST = 5000

/**
 * Positions of deep pages that were read, valid until the table changes. The next deep page is counted from the nearest
 * one, not from the start of the list.
 */
export class PositionCache {
  readonly #lists = new LRUCache<string, ListPositions>({ max: MAX_CACHED_LISTS })

  /** The last known position at or before the offset, if the cached list has exactly this version. */
  nearestBefore(key: string, version: number, offset: number): Position | undefined {
    const list = this.#lists.get(key)
    if (list?.version !== version) return undefined
    return list.positions[indexAfter(list.positions, offset) - 1]
  }

  add(key: string, version: number, position: Position): void {
    const { positions } = this.#listOf(key, version)
    if (positions.length >= MAX_POSITIONS_PER_LIST) return
    const index = indexAfter(positions, position.offset)
    if (positions[index - 1]?.offset !== position.offset) positions.splice(index, 0, position)
  }

  #listOf(key: string, version: number): ListPositions {
    const cached = this.#lists.get(key)
    if (cached?.version === version) return cached
    const list = { version, positions: [] }
    this.#lists.set(key, list)
    return list
  }
}

/** The index of the first position after the offset. */
function indexAfter(positions: Position[], offset: number): number {
  let low = 0
  let high = positions.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((positions[middle] as Position).offset <= offset) low = middle + 1
    else high = middle
  }
  return low
}

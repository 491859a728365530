/** A place in a list: the record of this id stands at this offset. */
export interface Position {
  offset: number
  id: string
}

interface Positions {
  version: number
  /** By offset, ascending. */
  known: Position[]
}

const MAX_CACHED_LISTS = 50
const MAX_POSITIONS = 5000

/**
 * Places that deep pages have shown, kept while nothing has changed: the next deep page is counted from the one
 * before it instead of from the list's end.
 */
export class ListPositions {
  readonly #lists = new Map<string, Positions>()

  /** The last known place at or before the offset, as of exactly `version` changes. */
  before(key: string, version: number, offset: number): Position | undefined {
    const list = this.#lists.get(key)
    if (list?.version !== version) return undefined
    return list.known[firstAfter(list.known, offset) - 1]
  }

  remember(key: string, version: number, position: Position): void {
    const list = this.#listOf(key, version)
    if (list.known.length >= MAX_POSITIONS) return
    const index = firstAfter(list.known, position.offset)
    if (list.known[index - 1]?.offset !== position.offset) list.known.splice(index, 0, position)
  }

  #listOf(key: string, version: number): Positions {
    const list = this.#lists.get(key)
    if (list?.version === version) return list
    const fresh = { version, known: [] }
    this.#lists.delete(key)
    this.#lists.set(key, fresh)
    if (this.#lists.size > MAX_CACHED_LISTS) this.#lists.delete(this.#lists.keys().next().value as string)
    return fresh
  }
}

/** The index of the first position behind the offset. */
function firstAfter(known: Position[], offset: number): number {
  let low = 0
  let high = known.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((known[middle] as Position).offset <= offset) low = middle + 1
    else high = middle
  }
  return low
}

/** The length of a company's id: `cmp_` and 26 characters. */
export const ID_LENGTH = 30

const CHUNK_LENGTH = 512 * ID_LENGTH

/**
 * A sorted set of company ids in little memory: 30 bytes per id, in chunks of text. It never changes; `with` returns
 * another set, which shares all chunks that are equal.
 */
export class SortedIds {
  readonly #chunks: readonly string[]
  readonly size: number

  private constructor(chunks: readonly string[]) {
    this.#chunks = chunks
    this.size = chunks.reduce((length, chunk) => length + chunk.length, 0) / ID_LENGTH
  }

  /** @param ids in ascending order, without separators */
  static parse(ids: string): SortedIds {
    const chunks: string[] = []
    for (let start = 0; start < ids.length; start += CHUNK_LENGTH)
      chunks.push(ids.slice(start, start + CHUNK_LENGTH))
    return new SortedIds(chunks)
  }

  /** The set after some ids have been added or removed; this set if that changes nothing. */
  with(added: readonly string[], removed: readonly string[]): SortedIds {
    const chunks = [...this.#chunks]
    let isChanged = false
    for (const id of added) isChanged = add(chunks, id) || isChanged
    for (const id of removed) isChanged = remove(chunks, id) || isChanged
    return isChanged ? new SortedIds(chunks) : this
  }

  /** The ids from one index, in ascending order, to before another. */
  slice(from: number, to: number): string[] {
    const ids: string[] = []
    let first = 0
    for (const chunk of this.#chunks) {
      const next = first + chunk.length / ID_LENGTH
      for (let index = Math.max(from, first); index < Math.min(to, next); index++)
        ids.push(idAt(chunk, index - first))
      if (next >= to) break
      first = next
    }
    return ids
  }
}

const idAt = (chunk: string, index: number) => chunk.slice(index * ID_LENGTH, (index + 1) * ID_LENGTH)

/** The index of the first of `count` items that is not less than the id. */
function lowerBound(count: number, itemAt: (index: number) => string, id: string): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (itemAt(middle) < id) low = middle + 1
    else high = middle
  }
  return low
}

/** Where an id is in the chunks, or would be. */
function find(chunks: readonly string[], id: string) {
  const lastIdOf = (index: number) => (chunks[index] as string).slice(-ID_LENGTH)
  const index = Math.min(lowerBound(chunks.length, lastIdOf, id), Math.max(0, chunks.length - 1))
  const chunk = chunks[index] ?? ''
  const offset = ID_LENGTH * lowerBound(chunk.length / ID_LENGTH, (n) => idAt(chunk, n), id)
  return { index, chunk, offset, isMember: chunk.startsWith(id, offset) }
}

function add(chunks: string[], id: string): boolean {
  const { index, chunk, offset, isMember } = find(chunks, id)
  if (isMember) return false
  const longer = chunk.slice(0, offset) + id + chunk.slice(offset)
  const parts =
    longer.length > 2 * CHUNK_LENGTH ? [longer.slice(0, CHUNK_LENGTH), longer.slice(CHUNK_LENGTH)] : [longer]
  chunks.splice(index, 1, ...parts)
  return true
}

function remove(chunks: string[], id: string): boolean {
  const { index, chunk, offset, isMember } = find(chunks, id)
  if (!isMember) return false
  const shorter = chunk.slice(0, offset) + chunk.slice(offset + ID_LENGTH)
  chunks.splice(index, 1, ...(shorter ? [shorter] : []))
  return true
}

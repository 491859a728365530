/** Returns a random number from 0 to 1, or a random item. */
export interface Random {
  (): number
  <T>(items: readonly T[]): T
}

/** The item at this index. Indexes past the end start over. */
export const itemAt = <T>(items: readonly T[], index: number): T => items[index % items.length] as T

/** A generator whose results depend only on the seed (mulberry32 by Tommy Ettinger). */
export function createRandom(seed: number): Random {
  let state = Math.imul(seed + 1, 0x9e3779b1)
  const number = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  return (<T>(items?: readonly T[]) =>
    items ? itemAt(items, Math.floor(number() * items.length)) : number()) as Random
}

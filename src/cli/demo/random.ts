/** Draws a number from 0 to 1, or one of some items. */
export interface Draw {
  (): number
  <T>(items: readonly T[]): T
}

/** The item of this index, counted round and round. */
export const of = <T>(items: readonly T[], index: number): T => items[index % items.length] as T

/** Draws that only `seed` decides (mulberry32, by Tommy Ettinger). */
export function drawing(seed: number): Draw {
  let state = Math.imul(seed + 1, 0x9e3779b1)
  const number = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  return (<T>(items?: readonly T[]) =>
    items ? of(items, Math.floor(number() * items.length)) : number()) as Draw
}

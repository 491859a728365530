import { startTransition, useEffect, useMemo, useState } from 'react'
import type { ListedCompany } from './list-query.ts'

/** So many companies are drawn in well under 50 ms, as long as which a key that is pressed may have to wait. */
const CHUNK_SIZE = 20

/** Companies that are drawn together, and what is marked in them. */
export interface Chunk {
  rows: readonly ListedCompany[]
  words: readonly string[]
}

/**
 * A page in parts that are drawn one after the other, so that typing gets its turn in between. Below those that have
 * been drawn, which is mostly out of sight, the companies of before stay until it is their turn.
 */
export function useChunks(rows: readonly ListedCompany[], words: readonly string[]): Chunk[] {
  const chunks = useMemo(
    () =>
      Array.from({ length: Math.ceil(rows.length / CHUNK_SIZE) }, (_, n) => ({
        rows: rows.slice(n * CHUNK_SIZE, (n + 1) * CHUNK_SIZE),
        words,
      })),
    [rows, words],
  )
  const [drawn, setDrawn] = useState<Chunk[]>([])
  const shown = [...chunks.slice(0, 1), ...drawn.slice(1, chunks.length)]
  const next = chunks.findIndex((chunk, n) => shown[n] !== chunk)
  useEffect(() => {
    if (next < 0) return
    let timer: ReturnType<typeof setTimeout>
    const draw = () =>
      startTransition(() =>
        setDrawn((before) => [...chunks.slice(0, next + 1), ...before.slice(next + 1, chunks.length)]),
      )
    // Only once the part before is on the screen: two in one frame would be laid out and painted in one go.
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(draw)
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [chunks, next])
  return shown
}

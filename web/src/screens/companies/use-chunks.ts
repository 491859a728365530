import { startTransition, useEffect, useMemo, useState } from 'react'
import type { ListedCompany } from './list-query.ts'

/** This many rows render in well under 50 ms, so that a key press never waits longer. */
const CHUNK_SIZE = 20

/** Companies that render together, and the words highlighted in them. */
export interface Chunk {
  rows: readonly ListedCompany[]
  words: readonly string[]
}

/**
 * Renders a page in chunks, so that typing gets its turn in between. Rows that have not been updated yet, mostly out
 * of sight, show the previous companies until their turn.
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
  const [rendered, setRendered] = useState<Chunk[]>([])
  const shown = [...chunks.slice(0, 1), ...rendered.slice(1, chunks.length)]
  const next = chunks.findIndex((chunk, n) => shown[n] !== chunk)
  useEffect(() => {
    if (next < 0) return
    let timer: ReturnType<typeof setTimeout>
    const render = () =>
      startTransition(() =>
        setRendered((before) => [...chunks.slice(0, next + 1), ...before.slice(next + 1, chunks.length)]),
      )
    // Wait for the previous chunk to paint. Two in one frame would be laid out and painted together.
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(render)
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [chunks, next])
  return shown
}

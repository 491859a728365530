import { startTransition, useEffect, useMemo, useState } from 'react'
import { afterPaint } from '#web/browser/after-paint.ts'
import type { ListedCompany } from '../list-query.ts'

/** Companies that render together, and the words highlighted in them. */
interface Chunk {
  rows: readonly ListedCompany[]
  words: readonly string[]
}

/**
 * Renders a page in chunks, so that typing gets its turn in between. Rows that have not been updated yet, mostly out
 * of sight, show the previous companies until their turn.
 * @param size how many render in well under 50 ms, so that a key press never waits longer
 */
export function useChunks(rows: readonly ListedCompany[], words: readonly string[], size: number): Chunk[] {
  const chunks = useMemo(
    () =>
      Array.from({ length: Math.ceil(rows.length / size) }, (_, n) => ({
        rows: rows.slice(n * size, (n + 1) * size),
        words,
      })),
    [rows, words, size],
  )
  const [rendered, setRendered] = useState<Chunk[]>([])
  const shown = [...chunks.slice(0, 1), ...rendered.slice(1, chunks.length)]
  const next = chunks.findIndex((chunk, n) => shown[n] !== chunk)
  useEffect(() => {
    if (next < 0) return
    return afterPaint(() =>
      startTransition(() =>
        setRendered((before) => [...chunks.slice(0, next + 1), ...before.slice(next + 1, chunks.length)]),
      ),
    )
  }, [chunks, next])
  return shown
}

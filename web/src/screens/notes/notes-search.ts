import { NOTE_KINDS } from '#src/client/limits.ts'

export const WHOSE = ['mine', 'mentioning'] as const

export interface NotesSearch {
  /** Words. */
  q?: string
  kind?: (typeof NOTE_KINDS)[number]
  /** Those of the signed-in user, or those that mention them. */
  whose?: (typeof WHOSE)[number]
  private?: true
  /** Starts at 1. */
  page?: number
}

/** @param search the query of `/notes`; invalid values are dropped */
export function notesSearch(search: Record<string, unknown>): NotesSearch {
  const kind = NOTE_KINDS.find((known) => known === search.kind)
  const whose = WHOSE.find((known) => known === search.whose)
  const page = Number(search.page)
  return {
    ...(search.q ? { q: String(search.q) } : {}),
    ...(kind && { kind }),
    ...(whose && { whose }),
    ...(search.private === true && { private: true }),
    ...(Number.isSafeInteger(page) && page > 1 && { page }),
  }
}

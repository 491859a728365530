import { NOTE_KINDS } from '#src/client/limits.ts'

export const WHOSE = ['mine', 'mentioning'] as const

export interface NotesSearch {
  /** Words. */
  q?: string
  kind?: (typeof NOTE_KINDS)[number]
  /** Those of the signed-in user, or those that mention them. */
  whose?: (typeof WHOSE)[number]
  private?: true
  /** The id of a company that they are about. */
  company?: string
  /** The id of a person whom they are about, or who took part. */
  person?: string
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
    ...(isId(search.company, 'cmp') && { company: search.company }),
    ...(isId(search.person, 'per') && { person: search.person }),
    ...(Number.isSafeInteger(page) && page > 1 && { page }),
  }
}

const isId = (value: unknown, prefix: 'cmp' | 'per'): value is string =>
  typeof value === 'string' && value.startsWith(`${prefix}_`)

import { FILE_TYPES, MAX_QUESTION_LENGTH } from '#src/client/limits.ts'
import type { Query } from '#web/api/service.ts'
import type { FileKind } from '#web/files/file-kind.ts'

export interface FilesSearch {
  /** Words. */
  q?: string
  kind?: FileKind
  private?: true
  /** The id of a record that they are about. */
  about?: string
  /** Starts at 1. */
  page?: number
}

/** What narrows the list. */
export type FileFilters = Omit<FilesSearch, 'page'>

/** @param search the query of `/files`; invalid values are dropped */
export function filesSearch(search: Record<string, unknown>): FilesSearch {
  const kind = FILE_TYPES.find((known) => known === search.kind)
  const { about } = search
  const page = Number(search.page)
  return {
    ...(search.q ? { q: String(search.q).slice(0, MAX_QUESTION_LENGTH) } : {}),
    ...(kind && { kind }),
    ...(search.private === true && { private: true }),
    ...(typeof about === 'string' && /^(?:cmp|df|per|th)_\w+$/.test(about) && { about }),
    ...(Number.isSafeInteger(page) && page > 1 && { page }),
  }
}

/** What the service is asked for. */
export const filesQuery = ({ q, kind, about, private: isPrivate }: FilesSearch): Query<'listFiles'> => ({
  ...(q && { search: q }),
  ...(kind && { type: [kind] }),
  ...(about && { about: [about] }),
  ...(isPrivate && { visibility: ['private' as const] }),
})

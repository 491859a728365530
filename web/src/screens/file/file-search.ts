import { MAX_QUESTION_LENGTH } from '#src/client/limits.ts'

export const FILE_TABS = ['preview', 'text', 'about'] as const
export type FileTab = (typeof FILE_TABS)[number]

export interface FileSearch {
  /** Without one, the first that the file has. */
  tab?: FileTab
  /** Starts at 1. */
  page?: number
  /** An earlier one; without it, the current one. */
  version?: number
  /** Words to mark. */
  search?: string
}

/** @param search the query of `/files/:id`; invalid values are dropped */
export function fileSearch(search: Record<string, unknown>): FileSearch {
  const tab = FILE_TABS.find((known) => known === search.tab)
  const page = Number(search.page)
  const version = Number(search.version)
  return {
    ...(tab && { tab }),
    ...(Number.isSafeInteger(page) && page > 1 && { page }),
    ...(Number.isSafeInteger(version) && version > 0 && { version }),
    ...(search.search ? { search: String(search.search).slice(0, MAX_QUESTION_LENGTH) } : {}),
  }
}

import { normalizeSpaces } from '#src/platform/schema/normalize-input.ts'

/**
 * Tags in the form in which they are stored: without extra spaces, each once, sorted. Of tags that differ only in case, the
 * first stays.
 */
export function normalizeTags(tags: readonly string[]): string[] {
  const byFolded = new Map<string, string>()
  for (const text of tags) {
    const tag = normalizeTag(text)
    if (tag && !byFolded.has(foldTag(tag))) byFolded.set(foldTag(tag), tag)
  }
  return [...byFolded.values()].sort()
}

export const normalizeTag = normalizeSpaces

/** What tags of one company are told apart by. */
export const foldTag = (tag: string): string => normalizeTag(tag).toLowerCase()

/** Tags that the import would read as several, or without their first character, are written as JSON. */
export const tagsCell = (tags: readonly string[]): string =>
  tags.some((tag) => /[,|"\n\r•，、；｜]|^[#[({]/.test(tag)) ? JSON.stringify(tags) : tags.join('; ')

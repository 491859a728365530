const MAX_SHOWN = 3

/** Which tags of a row are shown, and how many are left out. */
export const shownTags = (tags: readonly string[], max = MAX_SHOWN): { shown: string[]; hidden: number } => ({
  shown: tags.slice(0, max),
  hidden: Math.max(0, tags.length - max),
})

/** The tags that a user typed: without extra spaces, each once, whatever its case. */
export function cleanTags(tags: readonly string[]): string[] {
  const found = new Map<string, string>()
  for (const tag of tags) {
    const clean = tag.replaceAll(/\s+/g, ' ').trim()
    if (clean && !found.has(clean.toLowerCase())) found.set(clean.toLowerCase(), clean)
  }
  return [...found.values()]
}

/** Whether two lists have the same tags, in any order. */
export const isSameTags = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((tag) => b.includes(tag))

export interface TagChanges {
  add_tags?: string[]
  remove_tags?: string[]
}

/** The tags that were added and removed. */
export function tagChanges(before: readonly string[], after: readonly string[]): TagChanges {
  const added = after.filter((tag) => !before.includes(tag))
  const removed = before.filter((tag) => !after.includes(tag))
  return {
    ...(added.length > 0 && { add_tags: added }),
    ...(removed.length > 0 && { remove_tags: removed }),
  }
}

/** The tags as the service changes them: it ignores case. */
export function withTagChanges(
  tags: readonly string[],
  { add_tags = [], remove_tags = [] }: TagChanges,
): string[] {
  const kept = without(tags, remove_tags)
  return [...kept, ...without(add_tags, kept)]
}

function without(tags: readonly string[], others: readonly string[]): string[] {
  const folded = new Set(others.map((tag) => tag.toLowerCase()))
  return tags.filter((tag) => !folded.has(tag.toLowerCase()))
}

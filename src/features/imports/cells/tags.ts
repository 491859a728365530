import { foldTag, MAX_TAG_LENGTH, MAX_TAGS, normalizeTag } from '#src/features/companies/index.ts'
import { LIST_ITEM_PATTERN } from '#src/platform/schema/shapes.ts'
import { parseList } from './value-list.ts'

const isAllowed = (tag: string): boolean => tag.length <= MAX_TAG_LENGTH && TAG.test(tag)
const TAG = new RegExp(LIST_ITEM_PATTERN, 'u')

/** The tags in the cells of a row. */
export interface TagsRead {
  tags: string[]
  /** Why tags were left out; without repetitions. */
  errors: string[]
}

/** The tags in a cell: a list, or words with hash signs. undefined if the cell is too long. */
export function tagsIn(text: string): string[] | undefined {
  if (/^#[^\s,;|]+(?:\s+#[^\s,;|]+)+$/.test(text)) return text.split(/\s+/).map(withoutHash)
  return parseList(text)?.map(withoutHash)
}

const withoutHash = (tag: string): string => tag.replace(/^#+(?=\S)/, '')

/** The tags that a company can have. */
export function allowedTags(input: readonly string[]): TagsRead {
  const byFolded = new Map<string, string>()
  const errors = new Set<string>()
  for (const text of input) {
    const tag = normalizeTag(text)
    if (!tag || byFolded.has(foldTag(tag))) continue
    if (!isAllowed(tag)) errors.add(TOO_LONG)
    else if (byFolded.size >= MAX_TAGS) errors.add(TOO_MANY)
    else byFolded.set(foldTag(tag), tag)
  }
  return { tags: [...byFolded.values()], errors: [...errors] }
}

export const TAGS_ALLOWED = `tags must be a list of up to ${MAX_TAGS} tags, such as "Robotics; B2B".`
const TOO_LONG = `tags: a tag may have up to ${MAX_TAG_LENGTH} characters and no semicolons. The other tags were stored.`
const TOO_MANY = `tags: a company may have up to ${MAX_TAGS} tags. The others were left out.`

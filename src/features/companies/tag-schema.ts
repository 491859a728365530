import { Type } from 'typebox'
import { LIST_ITEM_PATTERN } from '#src/platform/schema/shapes.ts'

export const MAX_TAGS = 50
export const MAX_TAG_LENGTH = 64

export const Tag = Type.String({ minLength: 1, maxLength: MAX_TAG_LENGTH, pattern: LIST_ITEM_PATTERN })

export const Tags = Type.Array(Tag, {
  maxItems: MAX_TAGS,
  description: `Up to ${MAX_TAGS} texts of up to ${MAX_TAG_LENGTH} characters, without semicolons. Stored sorted, without duplicates.`,
})

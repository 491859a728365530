import { withoutAccents } from '#src/platform/accents.ts'
import { normalizeName } from '#src/platform/schema/normalize-text.ts'

/** Normalizes a name: lower case, no accents, no punctuation. */
export const normalizedName = (text: string): string =>
  withoutAccents(normalizeName(text))
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

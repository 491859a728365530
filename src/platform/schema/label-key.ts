import { withoutAccents } from '#src/platform/accents.ts'

/** Leaves room for a number behind it. */
const MAX_LENGTH = 56

/** What a label becomes in a key: "YC Batch" becomes yc_batch. */
export const keyWord = (label: string): string =>
  withoutAccents(label)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')

/** A key made of a label: "YC Batch" becomes yc_batch, or yc_batch_2 if that is taken. */
export function freeKey(label: string, taken: ReadonlySet<string> = new Set()): string {
  const word = keyWord(label)
  const key = (/^[a-z]/.test(word) ? word : word ? `field_${word}` : 'field').slice(0, MAX_LENGTH)
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? key : `${key}_${n}`
    if (!taken.has(candidate)) return candidate
  }
}

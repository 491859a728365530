const WORD = /^[a-z][a-z0-9_]{0,63}$/

/**
 * Converts text to a lower_snake_case word: `Due diligence` becomes `due_diligence`. Returns null if it cannot be one.
 */
export function toWord(text: string): string | null {
  const word = text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, '_')
  return WORD.test(word) ? word : null
}

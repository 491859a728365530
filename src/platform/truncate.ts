const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' })
/** How much of the rest of the text is read to see where the last character ends. */
const LOOKAHEAD = 64

/**
 * The text if it has at most `length` UTF-16 code units, else its beginning and "…" in as many. Does not split what people
 * see as one character, such as an emoji with a skin tone. Replaces lone surrogates.
 */
export function truncate(text: string, length: number): string {
  if (text.length <= length) return text.toWellFormed()
  const last = GRAPHEMES.segment(text.slice(0, length + LOOKAHEAD)).containing(length - 1)
  return `${text.slice(0, last?.index || length - 1).toWellFormed()}…`
}

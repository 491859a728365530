import { normalizeName } from '#src/platform/schema/normalize-text.ts'

const TRUE = new Set(
  (
    'true yes y 1 x on checked t ✓ ✔ ☑ ✅ 🗹 wahr ja j vrai oui o verdadero sí si s verdadeiro sim vero waar prawda tak ' +
    'да истина 是 はい'
  ).split(' '),
)
const FALSE = new Set(
  'false no n 0 off unchecked f ✗ ✘ ☐ ❌ ✖ ☒ falsch nein faux non falso não nao onwaar nee fałsz nie нет ложь 否 いいえ'.split(
    ' ',
  ),
)

const MAX_BOOLEAN_LENGTH = 20

/** The value of a check box in the words and signs of common tools. */
export function parseBoolean(text: string): boolean | undefined {
  if (text.length > MAX_BOOLEAN_LENGTH) return undefined
  const word = normalizeName(text)
    .toLowerCase()
    .replace(/\ufe0f/g, '')
    .trim()
  return TRUE.has(word) ? true : FALSE.has(word) ? false : undefined
}

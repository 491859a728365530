import { numeralValue, parseNumeral, UNIT_FACTORS } from '#src/client/limits.ts'

/**
 * Parses a number as people type it: `1200000`, `1,200,000.50`, `1.200.000,50`, `€1.2m`, `-3 Mio`. As in an import, a
 * single point or comma followed by three digits separates thousands, unless a word such as `m` follows.
 * @returns undefined if the text is not a number; nothing is dropped to make it one
 */
export function parseNumber(text: string): number | undefined {
  const bare = text.replace(/€|\beur(?:os?)?\b/gi, '').trim()
  const [, sign, digits = '', unit] = /^([-−]?)\s*(\d[\d\s.,'’]*)(?:(\p{L}+)\.?)?$/u.exec(bare) ?? []
  const numeral = parseNumeral(digits.replace(/[\s'’]/g, ''))
  const factor = unit === undefined ? 1 : UNIT_FACTORS.get(unit.toLowerCase())
  if (!numeral || factor === undefined) return undefined
  const thousands = numeral.open === '.' ? ',' : '.'
  const value = (numeralValue(numeral, unit ? numeral.open : thousands) as number) * factor
  return sign ? -value : value
}

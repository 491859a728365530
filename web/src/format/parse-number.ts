const SCALES: Record<string, number> = {
  '': 1,
  k: 1e3,
  m: 1e6,
  mn: 1e6,
  mio: 1e6,
  million: 1e6,
  b: 1e9,
  bn: 1e9,
  mrd: 1e9,
  billion: 1e9,
}

/**
 * Parses a number as people type it: `1200000`, `1,200,000.50`, `1.200.000,50`, `€1.2m`, `-3 Mio`. As in an import, a
 * single point or comma followed by three digits separates thousands, unless a word such as `m` follows.
 * @returns undefined if the text is not a number; nothing is dropped to make it one
 */
export function parseNumber(text: string): number | undefined {
  const bare = text.replace(/€|\beur(?:os?)?\b/gi, '').trim()
  const [, sign, typed, word] = /^([-−]?)\s*(\d[\d\s.,'’]*)([a-z]*)\.?$/i.exec(bare) ?? []
  const factor = word === undefined ? undefined : SCALES[word.toLowerCase()]
  const digits = typed?.replace(/[\s'’]/g, '')
  if (!digits || factor === undefined) return undefined
  const value = Number(withDecimalPoint(digits, factor !== 1)) * factor
  return Number.isFinite(value) ? (sign ? -value : value) : undefined
}

const GROUPED = /^\d{1,3}(?:([.,])\d{3}(?:\1\d{3})*)$/

function withDecimalPoint(digits: string, isScaled: boolean): string {
  const decimal = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','))
  if (decimal < 0) return digits
  const isOneMark = /^\d+[.,]\d*$/.test(digits)
  if (GROUPED.test(digits) && !(isOneMark && (isScaled || digits.startsWith('0'))))
    return digits.replace(/[.,]/g, '')
  const whole = digits.slice(0, decimal)
  // Before the decimal point, only digits or well-formed thousands are allowed.
  if (!/^\d+$/.test(whole) && !GROUPED.test(whole)) return 'NaN'
  return `${whole.replace(/[.,]/g, '')}.${digits.slice(decimal + 1)}`
}

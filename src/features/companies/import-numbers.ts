/**
 * A whole number with or without separators between its thousands. Of a range such as `11-50`, and of `10,000+`,
 * the lower bound.
 */
export function parseCount(text: string): number | undefined {
  const [, digits] = /^(\d[\d\s.,'’]*)(?:\s*(?:-|–|to)\s*\d[\d\s.,'’]*|\+)?$/.exec(text) ?? []
  if (!digits) return undefined
  const plain = digits.replace(/\.0+$/, '').replace(/[\s,.'’]/g, '')
  return plain.length <= 15 ? Number(plain) : undefined
}

/** The year of a year or of a date. */
export function parseYear(text: string): number | undefined {
  const [, year] = /(?:^|\D)(1\d{3}|20\d{2}|2100)(?:\D|$)/.exec(text) ?? []
  return year ? Number(year) : undefined
}

const SCALES: Record<string, number> = {
  k: 1e3,
  m: 1e6,
  mn: 1e6,
  mio: 1e6,
  million: 1e6,
  b: 1e9,
  bn: 1e9,
  billion: 1e9,
}

/**
 * An amount in euros: `1200000`, `1,200,000.50`, `1.200.000,50`, `€1.2m`, `1,2 Mio EUR`. One comma with three
 * digits behind it separates thousands; one point is a decimal point.
 */
export function parseAmount(text: string): number | undefined {
  const bare = text.replace(/€|\beur(os?)?\b/gi, '').trim()
  const [, digits, scale] = /^(\d[\d\s.,'’]*?)\s*([a-z]*)\.?$/i.exec(bare) ?? []
  if (!digits) return exponential(bare)
  const factor = scale ? SCALES[scale.toLowerCase()] : 1
  if (factor === undefined) return undefined
  const value = Number(withDecimalPoint(digits.replace(/[\s'’]/g, ''))) * factor
  return Number.isFinite(value) ? (factor === 1 ? value : Math.round(value * 100) / 100) : undefined
}

/** Numbers as JavaScript prints very large and very small ones. */
const exponential = (text: string) => (/^\d(\.\d+)?e[+-]\d{1,3}$/i.test(text) ? Number(text) : undefined)

function withDecimalPoint(digits: string): string {
  const points = digits.split('.').length - 1
  const commas = digits.split(',').length - 1
  if (points > 0 && commas > 0)
    return digits.lastIndexOf(',') > digits.lastIndexOf('.')
      ? digits.replaceAll('.', '').replace(',', '.')
      : digits.replaceAll(',', '')
  if (commas === 1 && !/,\d{3}$/.test(digits)) return digits.replace(',', '.')
  if (points > 1) return digits.replaceAll('.', '')
  return digits.replaceAll(',', '')
}

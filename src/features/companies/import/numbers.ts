/**
 * A whole number, with or without thousands separators. A range such as `11-50`, or `10,000+`, gives its lower bound.
 * A fraction other than zero is not a whole number.
 */
export function parseCount(text: string): number | undefined {
  const [, number = ''] = /^([\d\s.,'’]*\d)(?:\s*(?:-|–|to)\s*\d[\d\s.,'’]*|\+)?$/.exec(text) ?? []
  const whole = number.replace(/[.,]0{1,2}$/, '')
  const isCount = /^(\d{1,15}|\d{1,3}([\s.,'’]\d{3}){1,4})$/.test(whole)
  return isCount ? Number(whole.replace(/\D/g, '')) : undefined
}

/** The year in a year or a date. */
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
 * An amount in euros: `1200000`, `1,200,000.50`, `1.200.000,50`, `€1.2m`, `1,2 Mio EUR`. A single point or comma
 * before three digits separates thousands, unless a word such as `m` follows.
 */
export function parseAmount(text: string): number | undefined {
  const bare = text.replace(/€|\beur(os?)?\b/gi, '').trim()
  const [, digits, scale] = /^(\d[\d\s.,'’]*?)\s*([a-z]*)\.?$/i.exec(bare) ?? []
  if (!digits) return undefined
  const factor = scale ? SCALES[scale.toLowerCase()] : 1
  if (factor === undefined) return undefined
  const value = Number(withDecimalPoint(digits.replace(/[\s'’]/g, ''), Boolean(scale))) * factor
  return Number.isFinite(value) ? Math.round(value * 100) / 100 : undefined
}

/** A number as JavaScript prints it. */
export const parseNumber = (text: string): number | undefined =>
  /^\d+(\.\d+)?(e[+-]\d{1,3})?$/.test(text) ? Number(text) : undefined

function withDecimalPoint(digits: string, isScaled: boolean): string {
  const points = digits.split('.').length - 1
  const commas = digits.split(',').length - 1
  if (points > 0 && commas > 0)
    return digits.lastIndexOf(',') > digits.lastIndexOf('.')
      ? digits.replaceAll('.', '').replace(',', '.')
      : digits.replaceAll(',', '')
  if (points + commas === 1 && (isScaled || !/^[1-9]\d{0,2}[.,]\d{3}$/.test(digits)))
    return digits.replace(',', '.')
  return digits.replace(/[.,]/g, '')
}

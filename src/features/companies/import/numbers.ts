/**
 * Parses a whole number, with or without thousands separators. Ranges such as `11-50` and `10,000+` give the lower
 * bound. Numbers with a fraction other than zero give undefined.
 */
export function parseCount(text: string): number | undefined {
  const [, number = ''] = /^([\d\s.,'’]*\d)(?:\s*(?:-|–|to)\s*\d[\d\s.,'’]*|\+)?$/.exec(text) ?? []
  const whole = number.replace(/[.,]0{1,2}$/, '')
  const isCount = /^(\d{1,15}|\d{1,3}([\s.,'’]\d{3}){1,4})$/.test(whole)
  return isCount ? Number(whole.replace(/\D/g, '')) : undefined
}

/** Parses a year, or the year of a date. */
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
 * Parses an amount in euros: `1200000`, `1,200,000.50`, `1.200.000,50`, `€1.2m`, `1,2 Mio EUR`. A single point or comma
 * followed by three digits separates thousands, unless a unit such as `m` follows.
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

/** Parses a number in JavaScript's format. */
export const parseNumber = (text: string): number | undefined =>
  /^\d+(\.\d+)?(e[+-]\d{1,3})?$/.test(text) ? Number(text) : undefined

function withDecimalPoint(digits: string, isScaled: boolean): string {
  const periods = digits.split('.').length - 1
  const commas = digits.split(',').length - 1
  if (periods > 0 && commas > 0)
    return digits.lastIndexOf(',') > digits.lastIndexOf('.')
      ? digits.replaceAll('.', '').replace(',', '.')
      : digits.replaceAll(',', '')
  if (periods + commas === 1 && (isScaled || !/^[1-9]\d{0,2}[.,]\d{3}$/.test(digits)))
    return digits.replace(',', '.')
  return digits.replace(/[.,]/g, '')
}

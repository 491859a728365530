export type ValueKind = 'address' | 'email' | 'number' | 'date' | 'country' | 'text'

/** Longer cells are text. */
const MAX_VALUE_LENGTH = 200

const EMAIL = /^[^\s@]+@[^\s@]+\.[a-z]{2,}$/i
const ADDRESS = /^(?:https?:\/\/\S+|www\.\S+|(?:[\p{L}\d-]+\.)+[a-z]{2,}(?:\/\S*)?)$/iu
const DATE =
  /^(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/. ](?:\d{1,2}|[a-zé]{3,9}\.?)[-/. ]\d{2,4})(?:[T ][\d:.Z+]+)?$/i
const YEAR = /^(?:19|20)\d\d$/
const NUMBER =
  /^[(-]?\s*(?:[$€£¥₹]|[A-Z]{3}\s)?\s*-?\d[\d.,'\s\u00a0]*\s*(?:[kKmMbB]|[MB]n|mio|%|[$€£¥₹]|[A-Z]{3})?\)?$/

/** What a cell evidently is. Years are text, because columns are named after them. */
export function kindOf(value: string): ValueKind {
  if (value.length > MAX_VALUE_LENGTH) return 'text'
  if (DATE.test(value)) return 'date'
  if (NUMBER.test(value)) return YEAR.test(value) ? 'text' : 'number'
  if (EMAIL.test(value)) return 'email'
  if (ADDRESS.test(value)) return 'address'
  return isCountry(value) ? 'country' : 'text'
}

const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'pl']
let countries: Set<string> | undefined

const isCountry = (value: string): boolean => {
  countries ??= countryNames()
  return countries.has(value.toLowerCase())
}

function countryNames(): Set<string> {
  const names = new Set(['usa', 'uk', 'u.s.', 'u.k.'])
  const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ')
  const displays = LANGUAGES.map((language) => new Intl.DisplayNames(language, { type: 'region' }))
  for (const first of letters)
    for (const second of letters) {
      const code = first + second
      if (displays[0]?.of(code) === code) continue
      for (const display of displays) names.add((display.of(code) ?? code).toLowerCase())
    }
  return names
}

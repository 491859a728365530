import type { CompanyRecord } from '#src/client/client.ts'
import { CsvReader } from '#src/platform/csv/read.ts'
import type { FactName, Material, ProfileAnswer } from './enrichment-prompt.ts'

type Fact = NonNullable<ProfileAnswer[FactName]>

/** Words that suggest a business model, and its description. The first match wins. */
const BUSINESS_MODELS: [RegExp, string][] = [
  [/\bmarketplace\b/iu, 'Marketplace: earns fees on sales by others.'],
  [/\b(?:rent(?:s|als?|ed|ing)?|leas(?:e|es|ing))\b/iu, 'Rents out products or equipment.'],
  [/\b(?:SaaS|subscriptions?|software|platform|apps?|API)\b/iu, 'Sells software by subscription or license.'],
  [
    /\b(?:robots?|devices?|machines?|sensors?|hardware|chips?|batter(?:y|ies))\b/iu,
    'Sells or rents hardware.',
  ],
  [/\b(?:consult(?:s|ing|ants?)|services?|agency)\b/iu, 'Sells services.'],
]

const SENTENCE = /[^.!?]+[.!?]+(?=\s|$)/gu
const SUMMARY_SENTENCES = 2

/** Builds a profile from the material by rules. The same material always gives the same profile. */
export function describeByRules({ record, source_csv, website }: Material): ProfileAnswer {
  const row = readRow(source_csv)
  const description = record.activity_description
  const text = description ?? website
  const source = description ? 'record' : 'website'
  const fromText = <T>(value: T | undefined, confidence: number): Fact | null =>
    value === undefined ? null : { value, source, confidence }
  const model = text ? BUSINESS_MODELS.find(([words]) => words.test(text))?.[1] : undefined
  return {
    summary: fromText(text ? firstSentences(text) : undefined, description ? 0.9 : 0.5),
    business_model: fromText(model, 0.4),
    products: fromText(
      phraseAfter(text, /\b(?:makes|builds|develops|offers|provides|sells|rents)\s+/iu),
      0.5,
    ),
    customers: fromText(phraseAfter(text, /\bfor\s+(?=\p{L})/iu), 0.4),
    competitors: fromText(
      phraseAfter(text, /\b(?:alternatives? to|competes with|unlike|instead of)\s+/iu),
      0.4,
    ),
    executives: executives(record) ?? fromText(chiefExecutive(text), 0.7),
    financials: financials(record),
    locations: location(record, row),
    industry: recordOrRow(record.industry_category, cell(row, /^(?:industry|sector|category)$/iu)),
    founded_year:
      recordOrRow(
        record.founded_year,
        wholeNumber(cell(row, /^(?:founded|year_?founded|founding_?year)$/iu)),
      ) ?? fromText(wholeNumber(firstGroup(text, /\bfounded in (\d{4})\b/iu)), 0.8),
    employee_count:
      recordOrRow(
        record.employee_count,
        wholeNumber(cell(row, /^(?:employees|employee_?count|team_?size)$/iu)),
      ) ?? fromText(wholeNumber(firstGroup(text, /\b(\d{1,7}) (?:employees|people)\b/iu)), 0.7),
  }
}

const firstSentences = (text: string): string =>
  (text.match(SENTENCE) ?? [text]).slice(0, SUMMARY_SENTENCES).join(' ').replace(/\s+/gu, ' ').trim()

/** The text from after the words to the end of their phrase, as a list of one. */
function phraseAfter(text: string | null, words: RegExp): string[] | undefined {
  const start = text ? words.exec(text) : null
  if (!text || !start) return undefined
  const rest = text.slice(start.index + start[0].length)
  const phrase = /^[^.,;:()\n]*?(?=[.,;:()\n]|\s(?:for|that|which|to|with|so|and|by|in)\s|$)/u.exec(rest)?.[0]
  return phrase?.trim() ? [phrase.trim()] : undefined
}

const firstGroup = (text: string | null, pattern: RegExp): string | undefined =>
  text ? pattern.exec(text)?.[1] : undefined

function chiefExecutive(text: string | null): { name: string; title: string }[] | undefined {
  const name = firstGroup(
    text,
    /\b(?:CEO|chief executive(?: officer)?),? (\p{Lu}[\p{L}'-]+ \p{Lu}[\p{L}'-]+)/u,
  )
  return name ? [{ name, title: 'Chief Executive Officer' }] : undefined
}

function executives({ executives }: CompanyRecord): Fact | null {
  const people = (executives ?? []).flatMap((person) => {
    const { name, title } = (person ?? {}) as { name?: unknown; title?: unknown }
    return typeof name === 'string' && name.trim()
      ? [{ name, title: typeof title === 'string' && title.trim() ? title : null }]
      : []
  })
  return people.length > 0 ? { value: people, source: 'record', confidence: 1 } : null
}

function financials({ financials }: CompanyRecord): Fact | null {
  const years = Object.entries(financials ?? {}).flatMap(([year, figures]) => {
    const { revenue_eur, ebitda_eur } = (figures ?? {}) as { revenue_eur?: unknown; ebitda_eur?: unknown }
    return /^\d{4}$/.test(year)
      ? [{ year: Number(year), revenue_eur: numberOrNull(revenue_eur), ebitda_eur: numberOrNull(ebitda_eur) }]
      : []
  })
  return years.length > 0 ? { value: years, source: 'record', confidence: 1 } : null
}

const numberOrNull = (value: unknown) => (typeof value === 'number' ? value : null)

function location({ hq_city, country }: CompanyRecord, row: Row): Fact | null {
  const isInRecord = hq_city !== null || country !== null
  const city = isInRecord ? hq_city : (cell(row, /^(?:city|hq_?city)$/iu) ?? null)
  const countryName = isInRecord ? country : (cell(row, /^country$/iu) ?? null)
  if (!city && !countryName) return null
  return {
    value: [{ city, country: countryName, is_headquarters: true }],
    source: isInRecord ? 'record' : 'source_csv',
    confidence: 1,
  }
}

/** The value in the record, or else the one in the imported row. */
function recordOrRow<T>(recorded: T | null, imported: T | undefined): Fact | null {
  if (recorded !== null) return { value: recorded, source: 'record', confidence: 1 }
  return imported === undefined ? null : { value: imported, source: 'source_csv', confidence: 0.8 }
}

type Row = Record<string, string>

/** How imports store the row of a company. */
const SOURCE_DIALECT = { delimiter: ',', quote: '"', hasBackslashes: false, newline: '\n' } as const

function readRow(source_csv: string | null): Row {
  if (!source_csv) return {}
  const reader = new CsvReader({ dialect: SOURCE_DIALECT, headerRow: 0, width: 0 })
  const [header, row] = [...reader.read(source_csv.replace(/^\ufeff/, ''), true)].flat()
  // A long row may have been cut off; rules work without it.
  if (!header || !row || 'message' in header || 'message' in row) return {}
  return Object.fromEntries(header.cells.map((name, index) => [name, row.cells[index] ?? '']))
}

function cell(row: Row, name: RegExp): string | undefined {
  const [, text] =
    Object.entries(row).find(([column, value]) => name.test(column.trim()) && value.trim()) ?? []
  return text?.trim()
}

const wholeNumber = (text: string | undefined): number | undefined =>
  text && /^\d{1,7}$/.test(text) ? Number(text) : undefined

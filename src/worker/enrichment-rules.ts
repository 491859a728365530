import { parse } from 'csv-parse/sync'
import type { CompanyRecord } from '#src/client/client.ts'
import type { FactName, Material, ProfileAnswer } from './enrichment-prompt.ts'

type Fact = NonNullable<ProfileAnswer[FactName]>

/** What a company sells, and how, by words that tell it. */
const BUSINESS_MODELS: [RegExp, string][] = [
  [/\bmarketplace\b/iu, 'A marketplace: fees on what others sell.'],
  [/\b(?:rent(?:s|als?|ed|ing)?|leas(?:e|es|ing))\b/iu, 'Rents out what it makes or owns.'],
  [
    /\b(?:SaaS|subscriptions?|software|platform|apps?|API)\b/iu,
    'Sells software, by subscription or licence.',
  ],
  [
    /\b(?:robots?|devices?|machines?|sensors?|hardware|chips?|batter(?:y|ies))\b/iu,
    'Sells or rents hardware.',
  ],
  [/\b(?:consult(?:s|ing|ants?)|services?|agency)\b/iu, 'Sells services.'],
]

const SENTENCE = /[^.!?]+[.!?]+(?=\s|$)/gu
const SUMMARY_SENTENCES = 2

/** A profile made by rules from what the material says plainly: the same material always gives the same profile. */
export function describeByRules({ record, source_csv, website }: Material): ProfileAnswer {
  const row = readRow(source_csv)
  const description = record.activity_description
  const text = description ?? website
  const source = description ? 'record' : 'website'
  const said = <T>(value: T | undefined, confidence: number): Fact | null =>
    value === undefined ? null : { value, source, confidence }
  const model = text ? BUSINESS_MODELS.find(([words]) => words.test(text))?.[1] : undefined
  return {
    summary: said(text ? firstSentences(text) : undefined, description ? 0.9 : 0.5),
    business_model: said(model, 0.4),
    products: said(after(text, /\b(?:makes|builds|develops|offers|provides|sells|rents)\s+/iu), 0.5),
    customers: said(after(text, /\bfor\s+(?=\p{L})/iu), 0.4),
    competitors: said(after(text, /\b(?:alternatives? to|competes with|unlike|instead of)\s+/iu), 0.4),
    executives: executives(record) ?? said(leader(text), 0.7),
    financials: financials(record),
    locations: location(record, row),
    industry: either(record.industry_category, cell(row, /^(?:industry|sector|category)$/iu)),
    founded_year:
      either(record.founded_year, whole(cell(row, /^(?:founded|year_?founded|founding_?year)$/iu))) ??
      said(whole(match(text, /\bfounded in (\d{4})\b/iu)), 0.8),
    employee_count:
      either(record.employee_count, whole(cell(row, /^(?:employees|employee_?count|team_?size)$/iu))) ??
      said(whole(match(text, /\b(\d{1,7}) (?:employees|people)\b/iu)), 0.7),
  }
}

const firstSentences = (text: string): string =>
  (text.match(SENTENCE) ?? [text]).slice(0, SUMMARY_SENTENCES).join(' ').replace(/\s+/gu, ' ').trim()

/** What stands between a word and the end of its phrase. */
function after(text: string | null, word: RegExp): string[] | undefined {
  const start = text ? word.exec(text) : null
  if (!text || !start) return undefined
  const rest = text.slice(start.index + start[0].length)
  const phrase = /^[^.,;:()\n]*?(?=[.,;:()\n]|\s(?:for|that|which|to|with|so|and|by|in)\s|$)/u.exec(rest)?.[0]
  return phrase?.trim() ? [phrase.trim()] : undefined
}

const match = (text: string | null, pattern: RegExp): string | undefined =>
  text ? pattern.exec(text)?.[1] : undefined

function leader(text: string | null): { name: string; title: string }[] | undefined {
  const name = match(text, /\b(?:CEO|chief executive(?: officer)?),? (\p{Lu}[\p{L}'-]+ \p{Lu}[\p{L}'-]+)/u)
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
  const land = isInRecord ? country : (cell(row, /^country$/iu) ?? null)
  if (!city && !land) return null
  return {
    value: [{ city, country: land, is_headquarters: true }],
    source: isInRecord ? 'record' : 'source_csv',
    confidence: 1,
  }
}

/** What the record knows, else what the row does. */
function either<T>(known: T | null, said: T | undefined): Fact | null {
  if (known !== null) return { value: known, source: 'record', confidence: 1 }
  return said === undefined ? null : { value: said, source: 'source_csv', confidence: 0.8 }
}

type Row = Record<string, string>

function readRow(source_csv: string | null): Row {
  if (!source_csv) return {}
  try {
    const [row] = parse(source_csv, { columns: true, bom: true, relax_column_count: true }) as Row[]
    return row ?? {}
  } catch {
    // It may have been cut off; rules do without.
    return {}
  }
}

function cell(row: Row, name: RegExp): string | undefined {
  const [, text] =
    Object.entries(row).find(([column, value]) => name.test(column.trim()) && value.trim()) ?? []
  return text?.trim()
}

const whole = (text: string | undefined): number | undefined =>
  text && /^\d{1,7}$/.test(text) ? Number(text) : undefined

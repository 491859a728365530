import { asNumber, asText, asTexts, asTimestamp, isRecord } from './type-guards.ts'

export interface EnrichedFact {
  name: string
  value: unknown
  source: string | null
  /** 0 to 1. */
  confidence: number | null
  date: string | null
}

export interface EnrichedProfile {
  facts: EnrichedFact[]
  /** The names of facts without a value. */
  unknown: string[]
  model: string | null
  enrichedAt: string | null
  bulkAction: string | null
  filled: [string, unknown][]
  warnings: string[]
  website: { url: string; readAt: string | null; reason: string | null } | null
}

/** Keys of a profile that are not facts. */
const METADATA_KEYS = [
  'company_id',
  'bulk_action_id',
  'enriched_at',
  'filled',
  'warnings',
  'website',
  'model',
  'prompt_version',
]
const FACT_ORDER = [
  'summary',
  'business_model',
  'products',
  'customers',
  'competitors',
  'executives',
  'financials',
  'locations',
  'industry',
  'founded_year',
  'employee_count',
]

const rank = (name: string): number =>
  FACT_ORDER.includes(name) ? FACT_ORDER.indexOf(name) : FACT_ORDER.length

/** Reads a profile of any shape. Anything that is not a fact in the known shape becomes a plain value. */
export function readProfile(data: Record<string, unknown>): EnrichedProfile {
  const entries = Object.entries(data)
    .filter(([name]) => !METADATA_KEYS.includes(name))
    .toSorted(([a], [b]) => rank(a) - rank(b))
  const isKnown = ([, fact]: [string, unknown]) => fact !== null && fact !== undefined
  return {
    facts: entries.filter(isKnown).map(readFact),
    unknown: entries.filter((entry) => !isKnown(entry)).map(([name]) => name),
    model: asText(data.model),
    enrichedAt: asTimestamp(data.enriched_at),
    bulkAction: asText(data.bulk_action_id),
    filled: isRecord(data.filled) ? Object.entries(data.filled) : [],
    warnings: asTexts(data.warnings),
    website: readWebsite(data.website),
  }
}

function readFact([name, fact]: [string, unknown]): EnrichedFact {
  if (!isRecord(fact) || !('value' in fact))
    return { name, value: fact, source: null, confidence: null, date: null }
  return {
    name,
    value: fact.value,
    source: asText(fact.source),
    confidence: asNumber(fact.confidence),
    date: asTimestamp(fact.date),
  }
}

function readWebsite(website: unknown): EnrichedProfile['website'] {
  const url = isRecord(website) ? asText(website.url) : null
  return isRecord(website) && url
    ? { url, readAt: asTimestamp(website.read_at), reason: asText(website.reason) }
    : null
}

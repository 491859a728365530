import { isRecord, numberOf, textOf, textsOf, timeOf } from './shapes.ts'

export interface EnrichedFact {
  name: string
  value: unknown
  source: string | null
  /** Of 1. */
  confidence: number | null
  date: string | null
}

export interface EnrichedProfile {
  facts: EnrichedFact[]
  /** The names of the facts of which nothing was found. */
  unknown: string[]
  model: string | null
  enrichedAt: string | null
  bulkAction: string | null
  filled: [string, unknown][]
  warnings: string[]
  website: { url: string; readAt: string | null; reason: string | null } | null
}

/** What a profile says beside its facts. */
const ABOUT = [
  'company_id',
  'bulk_action_id',
  'enriched_at',
  'filled',
  'warnings',
  'website',
  'model',
  'prompt_version',
]
const ORDER = [
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

const rank = (name: string): number => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length)

/** A profile as far as it can be read; what is not a fact of the known shape counts as a bare value. */
export function readProfile(data: Record<string, unknown>): EnrichedProfile {
  const entries = Object.entries(data)
    .filter(([name]) => !ABOUT.includes(name))
    .toSorted(([a], [b]) => rank(a) - rank(b))
  const isKnown = ([, fact]: [string, unknown]) => fact !== null && fact !== undefined
  return {
    facts: entries.filter(isKnown).map(readFact),
    unknown: entries.filter((entry) => !isKnown(entry)).map(([name]) => name),
    model: textOf(data.model),
    enrichedAt: timeOf(data.enriched_at),
    bulkAction: textOf(data.bulk_action_id),
    filled: isRecord(data.filled) ? Object.entries(data.filled) : [],
    warnings: textsOf(data.warnings),
    website: readWebsite(data.website),
  }
}

function readFact([name, fact]: [string, unknown]): EnrichedFact {
  if (!isRecord(fact) || !('value' in fact))
    return { name, value: fact, source: null, confidence: null, date: null }
  return {
    name,
    value: fact.value,
    source: textOf(fact.source),
    confidence: numberOf(fact.confidence),
    date: timeOf(fact.date),
  }
}

function readWebsite(website: unknown): EnrichedProfile['website'] {
  const url = isRecord(website) ? textOf(website.url) : null
  return isRecord(website) && url
    ? { url, readAt: timeOf(website.read_at), reason: textOf(website.reason) }
    : null
}

import {
  BUILTIN_MODEL,
  type EnrichmentWork,
  type Profile,
  profileFacts,
  type Result,
} from '#src/client/client.ts'
import type { LanguageModel } from '#src/platform/language-model/language-model.ts'
import { lazyValidator } from '#src/platform/schema/validate.ts'
import {
  ENRICHMENT_VERSION,
  enrichmentError,
  enrichmentInstructions,
  enrichmentMaterial,
  FACT_NAMES,
  type FactName,
  type Material,
  type ProfileAnswer,
  profileAnswerSchema,
} from './enrichment-prompt.ts'
import { describeByRules } from './enrichment-rules.ts'
import { createQuoteMatcher, instructionWarnings, RULES_WARNING, recordLines, storable } from './material.ts'
import { callModel, requireSameModel } from './model-calls.ts'
import type { WebsiteReader } from './website.ts'
import type { Handler, Progress } from './work.ts'

/** Confidence is capped at this for facts that the material does not confirm. */
const MAX_UNVERIFIED_CONFIDENCE = 0.4

/** Writes company profiles with a model or, without one, by rules. */
export function enrichmentHandler(model: LanguageModel | undefined, websites: WebsiteReader): Handler {
  return async function* ({ enrichment, is_over_budget }, progress) {
    if (!enrichment) return
    requireSameModel(enrichment.model, model?.name ?? BUILTIN_MODEL)
    if (is_over_budget) return
    for (const company of enrichment.companies) yield [await enrich(model, websites, company, progress)]
  }
}

async function enrich(
  model: LanguageModel | undefined,
  websites: WebsiteReader,
  { company_id, record, source_csv }: EnrichmentWork,
  progress: Progress,
): Promise<Result> {
  const page = record.website ? await websites.read(record.website, progress.stopped) : undefined
  const text = page && 'text' in page ? page.text : null
  const material: Material = { record, source_csv, website: text }
  const website = page && {
    url: page.url,
    read_at: 'read_at' in page ? page.read_at : null,
    reason: 'reason' in page ? page.reason : null,
  }
  const context = { material, website: website ?? null }
  if (!model) return { company_id, profile: buildProfile(BUILTIN_MODEL, context, describeByRules(material)) }
  const answered = await callModel(company_id, () =>
    model.ask(
      {
        instructions: enrichmentInstructions(material),
        material: enrichmentMaterial(material),
        schema: profileAnswerSchema(material),
        validate: enrichmentError,
      },
      progress,
    ),
  )
  if ('error' in answered) return answered
  return {
    company_id,
    profile: buildProfile(model.name, context, answered.answer),
    ...answered.common,
  }
}

/** Builds a profile from the valid facts of an answer. Facts that the material does not confirm lose confidence. */
function buildProfile(
  model: string,
  { material, website }: { material: Material; website: Profile['website'] },
  answer: ProfileAnswer,
): Profile {
  const date = new Date().toISOString()
  const texts = sourceTexts(material)
  const facts = FACT_NAMES.map((name) => {
    const answered = answer[name]
    if (!answered) return [name, null]
    const isQuoted = createQuoteMatcher(texts[answered.source] ?? '')
    const value =
      name === 'executives' ? namedExecutives(answered.value as Executive[], isQuoted) : answered.value
    const isVerified = answered.source !== 'model' && verifiableClaims(name, value).every(isQuoted)
    const fact = {
      value: truncateDeep(value),
      source: isVerified ? answered.source : 'model',
      confidence: isVerified ? answered.confidence : Math.min(answered.confidence, MAX_UNVERIFIED_CONFIDENCE),
      date,
    }
    return [name, isValidFact[name](fact) ? fact : null]
  })
  return {
    ...(Object.fromEntries(facts) as Pick<Profile, FactName>),
    website,
    model: storable(model, 200),
    prompt_version: ENRICHMENT_VERSION,
    warnings: [...(model === BUILTIN_MODEL ? [RULES_WARNING] : []), ...instructionWarnings(texts)],
  }
}

/** The texts of the material by source. */
const sourceTexts = ({ record, source_csv, website }: Material): Record<string, string> => ({
  record: recordLines(record).join('\n'),
  ...(source_csv && { source_csv }),
  ...(website && { website }),
})

interface Executive {
  name: string
  title: string | null
}

/** The executives that the material names, or all of them if it names none. */
function namedExecutives(executives: Executive[], isQuoted: (words: string) => boolean): Executive[] {
  const named = executives.filter(({ name }) => isQuoted(name))
  return named.length > 0 ? named : executives
}

/** The parts of a fact that the material must contain: models make up people, places and figures. */
function verifiableClaims(name: FactName, value: unknown): string[] {
  if (name === 'executives') return (value as Executive[]).map((person) => person.name)
  if (name === 'founded_year' || name === 'employee_count') return [String(value)]
  if (name === 'financials')
    return (value as Record<string, number | null>[]).flatMap((year) =>
      Object.values(year).flatMap((figure) => (figure === null ? [] : String(figure))),
    )
  if (name === 'locations')
    return (value as { city: string | null; country: string | null }[]).flatMap(
      ({ city, country }) => city ?? country ?? [],
    )
  return []
}

const isValidFact = Object.fromEntries(
  FACT_NAMES.map((name) => {
    const error = lazyValidator(profileFacts[name])
    return [name, (fact: unknown) => error(fact) === undefined]
  }),
) as Record<FactName, (fact: unknown) => boolean>

const MAX_TEXT_LENGTH = 2000
const MAX_ITEM_LENGTH = 200
const MAX_ITEMS = 30

/** Truncates texts and lists to the limits of a profile. */
function truncateDeep(value: unknown, maxLength = MAX_TEXT_LENGTH): unknown {
  if (typeof value === 'string') return storable(value, maxLength)
  if (Array.isArray(value))
    return value
      .map((item) => truncateDeep(item, MAX_ITEM_LENGTH))
      .filter((item) => item !== '')
      .slice(0, MAX_ITEMS)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => {
        const truncated = truncateDeep(item, MAX_ITEM_LENGTH)
        // An empty text, such as a city without letters, is no value.
        return [key, truncated === '' ? null : truncated]
      }),
    )
  return value
}

import {
  BUILTIN_MODEL,
  type EnrichmentWork,
  type Profile,
  profileFacts,
  type Result,
} from '#src/client/client.ts'
import type { LanguageModel } from '#src/platform/models/language-model.ts'
import { compileValidator } from '#src/platform/schema/validate.ts'
import { callModel, requireSameModel } from './asking.ts'
import {
  ENRICHMENT_VERSION,
  enrichmentFault,
  enrichmentInstructions,
  enrichmentMaterial,
  FACT_NAMES,
  type FactName,
  type Material,
  type ProfileAnswer,
  profileAnswer,
} from './enrichment-prompt.ts'
import { describeByRules } from './enrichment-rules.ts'
import { cut, linesOf, MADE_BY_RULES, quotedFrom, warningsOf } from './material.ts'
import type { WebsiteReader } from './website.ts'
import type { Handler, Progress } from './work.ts'

/** What a model says that the material does not is no surer than this. */
const MAX_UNPROVEN_CONFIDENCE = 0.4

/** Writes profiles of companies, by a model or, without one, by rules. */
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
  const described = { material, website: website ?? null }
  if (!model) return { company_id, profile: profileOf(BUILTIN_MODEL, described, describeByRules(material)) }
  const answered = await callModel(company_id, () =>
    model.ask(
      {
        instructions: enrichmentInstructions(material),
        material: enrichmentMaterial(material),
        schema: profileAnswer(material),
        validate: enrichmentFault,
      },
      progress,
    ),
  )
  if ('error' in answered) return answered
  return {
    company_id,
    profile: profileOf(model.name, described, answered.answer),
    usage: answered.usage,
  }
}

/** The profile that an answer makes: of the facts that can be kept, each as sure as the material makes it. */
function profileOf(
  model: string,
  { material, website }: { material: Material; website: Profile['website'] },
  answer: ProfileAnswer,
): Profile {
  const date = new Date().toISOString()
  const texts = textsOf(material)
  const facts = FACT_NAMES.map((name) => {
    const given = answer[name]
    if (!given) return [name, null]
    const isSaid = quotedFrom(texts[given.source] ?? '')
    const value = name === 'executives' ? sayable(given.value as Executive[], isSaid) : given.value
    const isProven = given.source !== 'model' && figuresAndNames(name, value).every(isSaid)
    const fact = {
      value: fit(value),
      source: isProven ? given.source : 'model',
      confidence: isProven ? given.confidence : Math.min(given.confidence, MAX_UNPROVEN_CONFIDENCE),
      date,
    }
    return [name, isKept[name](fact) ? fact : null]
  })
  return {
    ...(Object.fromEntries(facts) as Pick<Profile, FactName>),
    website,
    model: cut(model, 200),
    prompt_version: ENRICHMENT_VERSION,
    warnings: [...(model === BUILTIN_MODEL ? [MADE_BY_RULES] : []), ...warningsOf(texts)],
  }
}

/** The material's texts, by the source that a fact names. */
const textsOf = ({ record, source_csv, website }: Material): Record<string, string> => ({
  record: linesOf(record).join('\n'),
  ...(source_csv && { source_csv }),
  ...(website && { website }),
})

interface Executive {
  name: string
  title: string | null
}

/** Those who are named in the material; all of them when nobody is. */
function sayable(executives: Executive[], isSaid: (words: string) => boolean): Executive[] {
  const named = executives.filter(({ name }) => isSaid(name))
  return named.length > 0 ? named : executives
}

/** What of a fact has to stand in the material: people, places and figures are what models make up. */
function figuresAndNames(name: FactName, value: unknown): string[] {
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

const isKept = Object.fromEntries(
  FACT_NAMES.map((name) => {
    const fault = compileValidator(profileFacts[name])
    return [name, (fact: unknown) => fault(fact) === undefined]
  }),
) as Record<FactName, (fact: unknown) => boolean>

const MAX_TEXT_LENGTH = 2000
const MAX_ITEM_LENGTH = 200
const MAX_ITEMS = 30

/** Texts and lists cut to what a profile may hold. */
function fit(value: unknown, longest = MAX_TEXT_LENGTH): unknown {
  if (typeof value === 'string') return cut(value, longest)
  if (Array.isArray(value))
    return value
      .map((item) => fit(item, MAX_ITEM_LENGTH))
      .filter((item) => item !== '')
      .slice(0, MAX_ITEMS)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => {
        const fitted = fit(item, MAX_ITEM_LENGTH)
        // Half an answer, such as a city of no letters, is none.
        return [key, fitted === '' ? null : fitted]
      }),
    )
  return value
}

import { type TSchema, Type } from 'typebox'
import { type CompanyRecord, profileFacts, SOURCES, type Source } from '#src/client/client.ts'
import { fenced, MATERIAL_IS_DATA } from './material.ts'

/** Stored with each profile. Raise it with each change to the prompt. */
export const ENRICHMENT_VERSION = 2

/** The input for a profile. */
export interface Material {
  record: CompanyRecord
  /** The CSV row that the company was imported from, with its header row. */
  source_csv: string | null
  /** The text of the company's website. */
  website: string | null
}

export type FactName = keyof typeof profileFacts
export const FACT_NAMES = Object.keys(profileFacts) as FactName[]

/** A fact as the model answers it. */
interface ProfileFact {
  value: unknown
  source: Source
  confidence: number
}
export type ProfileAnswer = Record<FactName, ProfileFact | null>

/** The schema reduced to types and fields, which all endpoints support. Limits are enforced after the answer. */
function withoutLimits(schema: TSchema): TSchema {
  const { type, items, properties, required, additionalProperties } = schema as {
    type?: string
    items?: TSchema
    properties?: Record<string, TSchema>
    required?: string[]
    additionalProperties?: boolean
  }
  return {
    type,
    ...(items && { items: withoutLimits(items) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, withoutLimits(property)]),
      ),
      required,
      additionalProperties,
    }),
  } as TSchema
}

const valueSchema = (name: FactName): TSchema =>
  (profileFacts[name] as unknown as { properties: { value: TSchema } }).properties.value

/** The schema of an answer about this material. It only allows the sources that the material has. */
export function profileAnswerSchema(material: Material): ProfileSchema {
  const sources = availableSources(material)
  const key = sources.join()
  const schema = schemas.get(key) ?? createAnswerSchema(sources)
  schemas.set(key, schema)
  return schema
}

type ProfileSchema = ReturnType<typeof createAnswerSchema>

/** One schema per set of sources, because validators cache what they compile by schema object. */
const schemas = new Map<string, ProfileSchema>()

function createAnswerSchema(sources: Source[]) {
  const fields = FACT_NAMES.map((name) => [
    name,
    {
      type: ['object', 'null'],
      properties: {
        value: withoutLimits(valueSchema(name)),
        source: { type: 'string', enum: sources },
        confidence: { type: 'number' },
      },
      required: ['value', 'source', 'confidence'],
      additionalProperties: false,
    },
  ])
  return Type.Unsafe<ProfileAnswer>({
    type: 'object',
    properties: Object.fromEntries(fields),
    required: FACT_NAMES,
    additionalProperties: false,
  })
}

/** The system prompt for this material. */
export const enrichmentInstructions = ({ source_csv, website }: Material): string =>
  `You write company profiles for a team of investors. You are given a company's record${source_csv ? ', the CSV row that it was imported from' : ''}${website ? ', and the text of its website' : ''}.
${MATERIAL_IS_DATA}

Give each of these facts, or null if the material does not state it:
- summary: what the company does, in two or three sentences in your own words, without praise;
- business_model: who pays for what, in one sentence;
- products, customers (types or names), competitors: short names, most important first;
- executives: name and title (null if not stated);
- financials: by year, in euros, each null if not stated;
- locations: city and country (each null if not stated), and whether it is the headquarters;
- industry (one to three words), founded_year, employee_count.

For each fact, give its source (${availableSources({ source_csv, website }).join(', ')}) and your confidence from 0 to 1. Use the source model for what you already know about the company. Do not guess names or figures.`

/** The sources that facts can come from with this material. */
export const availableSources = ({
  source_csv,
  website,
}: Pick<Material, 'source_csv' | 'website'>): Source[] =>
  SOURCES.filter(
    (source) =>
      source === 'record' ||
      source === 'model' ||
      (source === 'source_csv' && source_csv) ||
      (source === 'website' && website),
  )

/** The user message: the material between tags. */
export const enrichmentMaterial = ({ record, source_csv, website }: Material): string =>
  [
    fenced('record', record),
    ...(source_csv ? [fenced('source_csv', source_csv)] : []),
    ...(website ? [fenced('website', website)] : []),
  ].join('\n\n')

/** What is wrong with an answer that matches the schema, or undefined. */
export function enrichmentError(answer: ProfileAnswer): string | undefined {
  const wrong = FACT_NAMES.find((name) => {
    const { confidence = 0 } = answer[name] ?? {}
    return confidence < 0 || confidence > 1
  })
  return wrong && `The confidence of ${wrong} must be between 0 and 1, not ${answer[wrong]?.confidence}.`
}

import { type TSchema, Type } from 'typebox'
import { type CompanyRecord, profileFacts, SOURCES, type Source } from '#src/client/client.ts'
import { fenced, MATERIAL_IS_DATA } from './material.ts'

/** Kept with each profile; to be raised with each change of what is asked. */
export const ENRICHMENT_VERSION = 1

/** What a profile is made from. */
export interface Material {
  record: CompanyRecord
  /** The row that the company was imported from, with its header. */
  source_csv: string | null
  /** The text of its website. */
  website: string | null
}

export type FactName = keyof typeof profileFacts
export const FACT_NAMES = Object.keys(profileFacts) as FactName[]

/** A fact as it is asked for: its value, and where it is from. */
interface AskedFact {
  value: unknown
  source: Source
  confidence: number
}
export type ProfileAnswer = Record<FactName, AskedFact | null>

/** Of a schema, what all endpoints know: types and fields. Limits are seen to later. */
function loose(schema: TSchema): TSchema {
  const { type, items, properties, required, additionalProperties } = schema as {
    type?: string
    items?: TSchema
    properties?: Record<string, TSchema>
    required?: string[]
    additionalProperties?: boolean
  }
  return {
    type,
    ...(items && { items: loose(items) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, loose(property)]),
      ),
      required,
      additionalProperties,
    }),
  } as TSchema
}

const schemaOfValue = (name: FactName): TSchema =>
  (profileFacts[name] as unknown as { properties: { value: TSchema } }).properties.value

/** What an answer about this material looks like: its facts can be from nowhere else. */
export function profileAnswer(material: Material): ProfileSchema {
  const sources = sourcesOf(material)
  const key = sources.join()
  const schema = schemas.get(key) ?? schemaWith(sources)
  schemas.set(key, schema)
  return schema
}

type ProfileSchema = ReturnType<typeof schemaWith>

/** One for each set of sources: whoever checks by a schema keeps what it has made of it for good. */
const schemas = new Map<string, ProfileSchema>()

function schemaWith(sources: Source[]) {
  const fields = FACT_NAMES.map((name) => [
    name,
    {
      type: ['object', 'null'],
      properties: {
        value: loose(schemaOfValue(name)),
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

/** What the model is to do with such material. */
export const enrichmentInstructions = ({ source_csv, website }: Material): string =>
  `You write profiles of companies for a team of investors. You are given a company's record${source_csv ? ', the row that it was imported from' : ''}${website ? ', and the text of its website' : ''}.
${MATERIAL_IS_DATA}

Give each of these facts, or null where the material does not tell it:
- summary: what the company does, in two or three sentences of your own, without praise;
- business_model: who pays for what, in a sentence;
- products, customers (kinds of them, or names), competitors: short names, the most important first;
- executives: name and title (null when it is not said);
- financials: by year, in euros, each null when it is not said;
- locations: city and country (each null when it is not said), and whether the headquarters are there;
- industry: in one to three words; founded_year; employee_count.

With each fact give its source (${sourcesOf({ source_csv, website }).join(', ')}) and your confidence, from 0 to 1. What you know of the company by yourself has the source model. Do not guess names and figures.`

/** Where facts of this material can be from. */
export const sourcesOf = ({ source_csv, website }: Pick<Material, 'source_csv' | 'website'>): Source[] =>
  SOURCES.filter(
    (source) =>
      source === 'record' ||
      source === 'model' ||
      (source === 'source_csv' && source_csv) ||
      (source === 'website' && website),
  )

/** The material as the model is given it. */
export const enrichmentMaterial = ({ record, source_csv, website }: Material): string =>
  [
    fenced('record', record),
    ...(source_csv ? [fenced('source_csv', source_csv)] : []),
    ...(website ? [fenced('website', website)] : []),
  ].join('\n\n')

/** What is wrong with an answer that has the right shape; undefined: nothing. */
export function enrichmentFault(answer: ProfileAnswer): string | undefined {
  const wrong = FACT_NAMES.find((name) => {
    const { confidence = 0 } = answer[name] ?? {}
    return confidence < 0 || confidence > 1
  })
  return wrong && `The confidence of ${wrong} must be from 0 to 1, not ${answer[wrong]?.confidence}.`
}

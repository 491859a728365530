import { type Static, type TSchema, Type } from 'typebox'
import {
  MAX_JSON_VALUE_BYTES,
  Named,
  Nullable,
  OneOf,
  Strict,
  Timestamp,
} from '#src/platform/schema/shapes.ts'

/** Sources of a fact: the company's fields, the CSV row it was imported from, its website, or the model's own knowledge. */
export const SOURCES = ['record', 'source_csv', 'website', 'model'] as const
export type Source = (typeof SOURCES)[number]

const fact = <T extends TSchema>(value: T) =>
  Nullable(
    Strict(
      Type.Object({
        value,
        source: OneOf(SOURCES),
        confidence: Type.Number({ minimum: 0, maximum: 1 }),
        date: Timestamp,
      }),
    ),
  )

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength })
const names = Type.Array(text(300), { minItems: 1, maxItems: 50 })

/** The facts of a profile; null stands for unknown. */
export const profileFacts = {
  summary: fact(text(4000)),
  business_model: fact(text(2000)),
  products: fact(names),
  customers: fact(names),
  competitors: fact(names),
  executives: fact(
    Type.Array(Strict(Type.Object({ name: text(200), title: Nullable(text(200)) })), {
      minItems: 1,
      maxItems: 50,
      'x-max-bytes': MAX_JSON_VALUE_BYTES,
    }),
  ),
  financials: fact(
    Type.Array(
      Strict(
        Type.Object({
          year: Type.Integer({ minimum: 1900, maximum: 2100 }),
          revenue_eur: Nullable(Type.Number({ minimum: 0, maximum: 1e15 })),
          ebitda_eur: Nullable(Type.Number({ minimum: -1e15, maximum: 1e15 })),
        }),
      ),
      { minItems: 1, maxItems: 30 },
    ),
  ),
  locations: fact(
    Type.Array(
      Strict(
        Type.Object({
          city: Nullable(text(200)),
          country: Nullable(text(200)),
          is_headquarters: Type.Boolean(),
        }),
      ),
      { minItems: 1, maxItems: 50 },
    ),
  ),
  industry: fact(text(200)),
  founded_year: fact(Type.Integer({ minimum: 1000, maximum: 2100 })),
  employee_count: fact(Type.Integer({ minimum: 0, maximum: 10_000_000 })),
}

/** A company's profile, as a worker submits it. */
export const Profile = Strict(
  Named('CompanyProfile', {
    ...profileFacts,
    website: Nullable(
      Strict(
        Type.Object({
          url: Type.String({ maxLength: 2000 }),
          read_at: Nullable(Timestamp),
          reason: Nullable(Type.String({ maxLength: 500, description: 'Why the website was not read.' })),
        }),
      ),
    ),
    model: Type.String({ minLength: 1, maxLength: 200 }),
    prompt_version: Type.Integer({ minimum: 1 }),
    warnings: Type.Array(Type.String({ maxLength: 1000 }), { maxItems: 20 }),
  }),
)
export type Profile = Static<typeof Profile>

/** `profile.json` in object storage. */
export interface StoredProfile extends Profile {
  company_id: string
  bulk_action_id: string
  enriched_at: string
  /** The company's fields that this profile or an earlier one filled, with their values. */
  filled: Record<string, unknown>
}

/** A fact fills an empty field only with at least this confidence, and never from the model's own knowledge. */
export const MIN_CONFIDENCE = 0.5

const date = '2026-03-02T09:30:04.000Z'
export const profileExample: Profile = {
  summary: {
    value: 'Picking robots for mid-sized warehouses.',
    source: 'record',
    confidence: 0.9,
    date,
  },
  business_model: { value: 'Robots as a service', source: 'website', confidence: 0.7, date },
  products: { value: ['Nordlys Picker'], source: 'website', confidence: 0.8, date },
  customers: null,
  competitors: null,
  executives: {
    value: [{ name: 'Ingrid Solberg', title: 'Chief Executive Officer' }],
    source: 'website',
    confidence: 0.9,
    date,
  },
  financials: null,
  locations: {
    value: [{ city: 'Trondheim', country: 'Norway', is_headquarters: true }],
    source: 'record',
    confidence: 1,
    date,
  },
  industry: null,
  founded_year: { value: 2017, source: 'source_csv', confidence: 0.9, date },
  employee_count: null,
  website: { url: 'https://nordlys-robotics.example', read_at: date, reason: null },
  model: 'gpt-5-mini',
  prompt_version: 1,
  warnings: [],
}

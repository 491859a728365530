import { type Static, Type } from 'typebox'
import { Data, endpoint, Named, Nullable, Strict } from '#src/platform/schema/shapes.ts'
import { companyFilters } from '../filters-schema.ts'

export const MAX_FACET_VALUES = 50

const value = Nullable(Type.String({ description: 'null stands for companies without a value.' }))
const count = Type.Integer({ description: 'The number of companies.' })
const values = { description: `Most frequent first, at most ${MAX_FACET_VALUES}.` }

export const CompanyFacets = Named('CompanyFacets', {
  total: Type.Integer({ description: 'The number of companies that match all filters.' }),
  status: Type.Array(Type.Object({ value: Type.String(), count }), values),
  country_code: Type.Array(
    Type.Object({
      value,
      name: Nullable(Type.String({ description: "The country's English name." })),
      count,
    }),
    values,
  ),
  industry_category: Type.Array(Type.Object({ value, count }), values),
  thesis_id: Type.Array(
    Type.Object({ value, code: Nullable(Type.String()), title: Nullable(Type.String()), count }),
    values,
  ),
  tags: Type.Array(Type.Object({ value, count }), {
    description: `A company counts for each of its tags. ${values.description}`,
  }),
  owner_email: Type.Array(Type.Object({ value, count }), values),
  llm_score: Type.Object({
    unscored: Type.Integer({ description: 'The number of companies without an llm_score_overall.' }),
    buckets: Type.Array(Type.Object({ from: Type.Integer(), to: Type.Integer(), count }), {
      description: 'The ten ranges from 0–9 to 90–100, including empty ones.',
    }),
  }),
  custom: Type.Record(
    Type.String(),
    Type.Array(Type.Object({ value, label: Nullable(Type.String()), count }), values),
    { description: 'The custom fields that the parameter `custom` names, by key.' },
  ),
})
export type CompanyFacets = Static<typeof CompanyFacets>

const scoreCounts = [0, 0, 3, 18, 74, 201, 388, 412, 156, 31]

const example: CompanyFacets = {
  total: 2319,
  status: [
    { value: 'active', count: 1607 },
    { value: 'inactive', count: 712 },
  ],
  country_code: [
    { value: 'NO', name: 'Norway', count: 1190 },
    { value: null, name: null, count: 1129 },
  ],
  industry_category: [
    { value: 'Robotics', count: 1301 },
    { value: null, count: 1018 },
  ],
  thesis_id: [
    { value: null, code: null, title: null, count: 2101 },
    {
      value: 'th_01jw3f8x5y1c3e5g7j9m1p3r5t',
      code: 'WAREHOUSE-ROBOTS',
      title: 'Robots for mid-sized warehouses',
      count: 218,
    },
  ],
  tags: [
    { value: null, count: 1911 },
    { value: 'Automation', count: 408 },
  ],
  owner_email: [
    { value: null, count: 2301 },
    { value: 'ada@example.com', count: 18 },
  ],
  llm_score: {
    unscored: 1036,
    buckets: scoreCounts.map((count, n) => ({ from: n * 10, to: n === 9 ? 100 : n * 10 + 9, count })),
  },
  custom: { batch: [{ value: 'opt_01jw3f8x66p3d5f7h9k1m3n5q7', label: 'Winter 2026', count: 2319 }] },
}

/** Each is counted on its own. */
export const MAX_CUSTOM_FACETS = 20

export const FacetsQuery = Strict(
  Type.Object({
    ...companyFilters,
    custom: Type.Optional(
      Type.Unsafe<string | string[]>({
        ...Type.Array(Type.String({ maxLength: 100 }), { maxItems: MAX_CUSTOM_FACETS }),
        description:
          'Keys of custom fields of the types select, multi_select, or boolean, separated by commas.',
      }),
    ),
  }),
)
export type FacetsQuery = Static<typeof FacetsQuery>

export const getCompanyFacets = endpoint('GET', '/api/companies/facets', {
  operationId: 'getCompanyFacets',
  'x-action': 'read',
  tags: ['Companies'],
  summary: 'Count companies by status, country, industry, thesis, tag, owner and score',
  description:
    'Takes the filters of the list. Each facet ignores the filter on its own field (for scores, also `min_score`), so it shows the ' +
    'other values to choose from. Of a filter tree, these are the parts that use no other field. The counts are exact.',
  querystring: FacetsQuery,
  response: { 200: Data(CompanyFacets, example) },
})

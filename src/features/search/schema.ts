import { type Static, Type } from 'typebox'
import { Company, companyExample, companyFilters } from '#src/features/companies/schema.ts'
import { Data, endpoint, Named, OneOf, Page, pageQuery, Strict } from '#src/platform/schema/shapes.ts'

export const SearchResult = Named('SearchResult', {
  ...Company.properties,
  similarity: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'The best have the highest, 1 at the most.',
  }),
  embedding_stale: Type.Boolean({ description: 'Whether the company has changed since it was indexed.' }),
  matched_words: Type.Optional(
    Type.Array(Type.String(), {
      description: 'With mode=hybrid: the words of the question that the company has.',
    }),
  ),
})

const example = { ...companyExample, similarity: 0.62, embedding_stale: false }
const tags = ['Search']
const { status, country_code, industry_category, thesis_id, min_score } = companyFilters
const filters = {
  ...pageQuery(20),
  status,
  country_code,
  industry_category,
  thesis_id,
  min_score,
}

export const SemanticQuery = Strict(
  Type.Object({
    q: Type.String({
      minLength: 1,
      maxLength: 1000,
      pattern: '\\S',
      description: 'What to look for, in words: software that schedules hospital staff.',
    }),
    ...filters,
    mode: Type.Optional(
      OneOf(['vector', 'hybrid'], {
        default: 'vector',
        description:
          'vector: by similarity alone. hybrid: the ranking by vectors and the one by words in one, and each result names ' +
          'the words that it has.',
      }),
    ),
  }),
)
export type SemanticQuery = Static<typeof SemanticQuery>

export const SimilarQuery = Strict(Type.Object(filters))
export type SimilarQuery = Static<typeof SimilarQuery>

export const SearchStatus = Named('SearchStatus', {
  embeddings: OneOf(['builtin', 'openai-compatible', 'off'], { description: 'The setting EMBEDDINGS.' }),
  answering: Type.Union([Type.String(), Type.Null()], {
    description: 'The model whose vectors answer; builtin: the words do. null when the search is off.',
  }),
  waiting: Type.Number({ description: 'Companies that have changed and are in no index yet.' }),
  models: Type.Array(
    Type.Object({
      model: Type.String(),
      state: OneOf(['filling', 'complete', 'former'], {
        description:
          'complete: it may answer. former: another has taken its place, and its vectors are being removed.',
      }),
      dimensions: Type.Union([Type.Integer(), Type.Null()]),
      embedded: Type.Number({ description: 'Companies that have a vector.' }),
      waiting: Type.Number({ description: 'Companies whose vector is to be made.' }),
      failed: Type.Number({ description: 'Companies whose text the endpoint gave no usable vector for.' }),
      fault: Type.Union([Type.String(), Type.Null()], {
        description:
          'What keeps the companies waiting that wait: why the endpoint was of no use the last time.',
      }),
    }),
    { description: 'The configured one first. Empty with builtin.' },
  ),
  failures: Type.Array(
    Type.Object({
      model: Type.String(),
      company_id: Type.String(),
      name: Type.String(),
      reason: Type.String(),
    }),
    {
      description:
        'At most 100, the latest change first. They are tried again when their text changes, and after a day.',
    },
  ),
})
export type SearchStatus = Static<typeof SearchStatus>

export const searchCompanies = endpoint('GET', '/api/companies/search/semantic', {
  operationId: 'searchCompanies',
  tags,
  'x-rate-class': 'ai',
  summary: 'Find companies by what they do',
  description:
    'The best 1,000 (hybrid with a model: 400), the best first. With EMBEDDINGS=builtin, companies that share no word with the ' +
    'question are not in the list. A company that was created or changed is found within seconds. 503 when the database ' +
    'has no pgvector, the embedding endpoint fails, or EMBEDDINGS is off.',
  querystring: SemanticQuery,
  response: { 200: Page(SearchResult, { ...example, matched_words: ['robots', 'warehouses'] }) },
})

export const listSimilarCompanies = endpoint('GET', '/api/companies/:id/similar', {
  operationId: 'listSimilarCompanies',
  tags,
  'x-rate-class': 'ai',
  summary: 'Find companies that do much the same as this one',
  description:
    'By its vector, else by its words: the best 1,000, the best first, without the company itself.',
  params: Type.Object({ id: Type.String({ description: 'The id of a company: cmp_…' }) }),
  querystring: SimilarQuery,
  response: { 200: Page(SearchResult, example) },
})

export const getSearchStatus = endpoint('GET', '/api/companies/search/status', {
  operationId: 'getSearchStatus',
  tags,
  summary: 'How far the index of the search by meaning is',
  description: 'Which model answers, how many companies wait to be embedded, and which ones failed and why.',
  response: {
    200: Data(SearchStatus, {
      embeddings: 'openai-compatible',
      answering: 'text-embedding-3-small, text 1',
      waiting: 0,
      models: [
        {
          model: 'text-embedding-3-small, text 1',
          state: 'complete',
          dimensions: 1536,
          embedded: 2317,
          waiting: 0,
          failed: 1,
          fault: null,
        },
      ],
      failures: [
        {
          model: 'text-embedding-3-small, text 1',
          company_id: 'cmp_01jbq8m4xkfe2tnr6v3q7w9z5d',
          name: 'Nordlys Robotics',
          reason: 'The embedding endpoint gave a vector of zeros.',
        },
      ],
    }),
  },
})

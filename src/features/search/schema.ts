import { type Static, Type } from 'typebox'
import { companyFilters } from '#src/features/companies/filters-schema.ts'
import { Company, CompanyPath, companyExample } from '#src/features/companies/schema.ts'
import { MovedAnswer } from '#src/features/trash/schema.ts'
import { Data, endpoint, Named, OneOf, Page, pageQuery, Strict } from '#src/platform/schema/shapes.ts'

export const SearchResult = Named('SearchResult', {
  ...Company.properties,
  similarity: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'The best match has the highest value, at most 1.',
  }),
  embedding_stale: Type.Boolean({
    description: 'Whether the company has changed since it was last indexed.',
  }),
  shares: Type.Object(
    {
      words: Type.Number({ minimum: 0, maximum: 1 }),
      meaning: Type.Number({ minimum: 0, maximum: 1 }),
    },
    { description: 'How much words and vectors contribute to the similarity. Together 1.' },
  ),
  matched_words: Type.Optional(
    Type.Array(Type.String(), {
      description: 'The words of the question that the company contains. Not for similar companies.',
    }),
  ),
})

const example = {
  ...companyExample,
  similarity: 0.62,
  embedding_stale: false,
  shares: { words: 0.55, meaning: 0.45 },
}
const tags = ['Search']
const {
  status,
  country_code,
  industry_category,
  thesis_id,
  tags: tagFilter,
  owner_email,
  filter,
  min_score,
} = companyFilters
const filters = {
  ...pageQuery(20),
  status,
  country_code,
  industry_category,
  thesis_id,
  tags: tagFilter,
  owner_email,
  filter,
  min_score,
}

export const MAX_QUESTION_LENGTH = 1000

export const SemanticQuery = Strict(
  Type.Object({
    q: Type.String({
      'x-normalize': 'text',
      minLength: 1,
      maxLength: MAX_QUESTION_LENGTH,
      pattern: '\\S',
      description: 'A question or description, such as: software that schedules hospital staff.',
    }),
    ...filters,
    mode: Type.Optional(
      OneOf(['auto', 'vector', 'words'], {
        default: 'auto',
        description:
          'auto: ranks by words and vectors together, and leaves out results that are much worse than the best one. ' +
          'vector: ranks by vectors alone. words: ranks by words alone. Without an embedding model, words are ranked.',
      }),
    ),
  }),
)
export type SemanticQuery = Static<typeof SemanticQuery>

export const SimilarQuery = Strict(Type.Object(filters))
export type SimilarQuery = Static<typeof SimilarQuery>

export const SearchStatus = Named('SearchStatus', {
  embeddings: OneOf(['builtin', 'builtin-words', 'openai-compatible', 'off'], {
    description: 'The EMBEDDINGS setting.',
  }),
  answering: Type.Union([Type.String(), Type.Null()], {
    description:
      'The model whose vectors are searched, together with words. words: no model answers; words are ranked alone. ' +
      'null if search is off or has no index.',
  }),
  fault: Type.Union([Type.String(), Type.Null()], {
    description:
      'Why there is no index to search; null if there is one, or search is off. Errors of a model are in `models`.',
  }),
  is_semantic: Type.Boolean({ description: 'Whether a model answers.' }),
  waiting: Type.Number({ description: 'The number of changed companies that are not indexed yet.' }),
  models: Type.Array(
    Type.Object({
      model: Type.String(),
      state: OneOf(['filling', 'complete', 'former'], {
        description:
          'filling: vectors are being created. complete: can be searched. former: replaced by another model; its vectors are ' +
          'being removed.',
      }),
      dimensions: Type.Union([Type.Integer(), Type.Null()]),
      embedded: Type.Number({ description: 'The number of companies that have a vector.' }),
      waiting: Type.Number({ description: 'The number of companies that are waiting for a vector.' }),
      failed: Type.Number({
        description: 'The number of companies without a usable vector from the model.',
      }),
      fault: Type.Union([Type.String(), Type.Null()], {
        description: 'The last error of the model or its endpoint, while companies are waiting.',
      }),
    }),
    { description: 'The configured model comes first. Empty with builtin-words.' },
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
        'At most 100, latest change first. A company is retried when its text changes, and after a day.',
    },
  ),
})
export type SearchStatus = Static<typeof SearchStatus>

export const searchCompanies = endpoint('GET', '/api/companies/search/semantic', {
  operationId: 'searchCompanies',
  'x-action': 'read',
  tags,
  'x-rate-class': 'ai',
  summary: 'Find companies by what they do',
  description:
    'Best first. With mode=auto, up to 200 companies: the 100 best by words and the 100 best by vectors, ranked by both ' +
    'scores. With mode=vector or words, up to 1,000. New and changed companies appear within seconds. 503 if the ' +
    'database has no pgvector, the embedding endpoint fails, or EMBEDDINGS is off.',
  querystring: SemanticQuery,
  response: { 200: Page(SearchResult, { ...example, matched_words: ['robots', 'warehouses'] }) },
})

export const listSimilarCompanies = endpoint('GET', '/api/companies/:id/similar', {
  operationId: 'listSimilarCompanies',
  'x-action': 'read',
  tags,
  'x-rate-class': 'ai',
  summary: 'Find similar companies',
  description:
    'Up to 200 companies, best first, without the company itself. Ranked by words and vectors, like a search.',
  params: CompanyPath,
  querystring: SimilarQuery,
  response: { 200: Page(SearchResult, example), 301: MovedAnswer },
})

export const getSearchStatus = endpoint('GET', '/api/companies/search/status', {
  operationId: 'getSearchStatus',
  'x-action': 'read',
  tags,
  summary: 'Read the state of the search index',
  description:
    'The model in use, the number of companies waiting to be indexed, and the companies that failed with the reason. ' +
    'Answers without an index too, and says why there is none.',
  response: {
    200: Data(SearchStatus, {
      embeddings: 'openai-compatible',
      answering: 'text-embedding-3-small, text 1',
      fault: null,
      is_semantic: true,
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

import { type Static, Type } from 'typebox'
import { Company, companyExample, companyFilters } from '#src/features/companies/schema.ts'
import { endpoint, OneOf, Page, pageQuery, Strict } from '#src/platform/shapes.ts'

export const SearchResult = Type.Object({
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
const { status, country_code } = companyFilters
const filters = { ...pageQuery(20), status, country_code }

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
        description: 'vector: by similarity alone. hybrid: together with the words, which each result names.',
      }),
    ),
  }),
)
export type SemanticQuery = Static<typeof SemanticQuery>

export const SimilarQuery = Strict(Type.Object(filters))
export type SimilarQuery = Static<typeof SimilarQuery>

export const searchCompanies = endpoint('GET', '/api/companies/search/semantic', {
  operationId: 'searchCompanies',
  tags,
  'x-rate-class': 'ai',
  summary: 'Find companies by what they do',
  description:
    'The best 1,000, the best first. Companies that share no word with the question are not in the list. A company that ' +
    'was created or changed is found within seconds. 503 when the database has no pgvector, or EMBEDDINGS is off.',
  querystring: SemanticQuery,
  response: { 200: Page(SearchResult, { ...example, matched_words: ['robots', 'warehouses'] }) },
})

export const listSimilarCompanies = endpoint('GET', '/api/companies/:id/similar', {
  operationId: 'listSimilarCompanies',
  tags,
  'x-rate-class': 'ai',
  summary: 'Find companies that do much the same as this one',
  params: Type.Object({ id: Type.String({ description: 'The id of a company: cmp_…' }) }),
  querystring: SimilarQuery,
  response: { 200: Page(SearchResult, example) },
})

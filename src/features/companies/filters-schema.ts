import { type Static, type TObject, Type } from 'typebox'
import {
  filterParameter,
  repeatedFilter,
  repeatedUserFilter,
  repeatedWordFilter,
  sortParameter,
} from '#src/platform/filter/schema.ts'
import { IDS_PATTERN, pageQuery, Strict } from '#src/platform/schema/shapes.ts'

/** The query parameters that select companies, in every list, count, export, and search. */
export const companyFilters = {
  status: repeatedWordFilter(),
  country_code: repeatedFilter({
    'x-normalize': 'country_code',
    description: 'ISO 3166-1 alpha-2, in upper or lower case. UK means GB.',
  }),
  industry_category: repeatedFilter({ description: 'In upper or lower case.' }),
  thesis_id: repeatedFilter(),
  tags: repeatedFilter({ description: 'A tag that the company has.' }),
  owner_email: repeatedUserFilter(),
  filter: filterParameter,
  min_score: Type.Optional(
    Type.Integer({ minimum: -1e9, maximum: 1e9, description: 'The lowest llm_score_overall.' }),
  ),
  ids: Type.Optional(
    Type.String({ pattern: IDS_PATTERN, description: 'Up to 1,000 ids, separated by commas.' }),
  ),
  search: Type.Optional(
    Type.String({
      'x-normalize': 'text',
      maxLength: 1000,
      description:
        'Words that the name, the description, or the website contains, in any order, also inside words. Case, accents, and spellings such as "oe" for "ö" are ignored. A web address stands for its domain.',
    }),
  ),
}
export type CompanyFilters = Static<TObject<typeof companyFilters>>

/** The newest first. */
export const DEFAULT_SORT = '-created_at'

export const CompanyQuery = Strict(
  Type.Object({
    ...pageQuery(),
    ...companyFilters,
    sort: sortParameter({ default: DEFAULT_SORT }),
  }),
)
export type CompanyQuery = Static<typeof CompanyQuery>

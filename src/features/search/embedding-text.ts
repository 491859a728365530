import { sql } from 'kysely'

/** The fields of a company that the search by meaning looks at. */
export interface EmbeddedFields {
  name: string
  industry_category: string | null
  activity_description: string | null
  hq_city: string | null
  country: string | null
}

export const embeddedFields = sql`name, industry_category, activity_description, hq_city, country`

/** Goes up with each change of `embeddingText`, so that vectors of different texts are never compared. */
export const TEXT_VERSION = 1

/** The text that stands for a company in the search by meaning: what it is called, what it does, where it is. */
export const embeddingText = ({
  name,
  industry_category,
  activity_description,
  hq_city,
  country,
}: EmbeddedFields): string =>
  [name, industry_category, activity_description, [hq_city, country].filter(Boolean).join(', ')]
    .filter(Boolean)
    .join('\n')

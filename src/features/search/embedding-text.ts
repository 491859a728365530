import { sql } from 'kysely'

/** The fields of a company that semantic search uses. */
export interface EmbeddedFields {
  name: string
  industry_category: string | null
  activity_description: string | null
  hq_city: string | null
  country: string | null
}

export const embeddedFields = sql`name, industry_category, activity_description, hq_city, country`

/** Increment it when `embeddingText` changes, so that vectors of different versions are never compared. */
export const TEXT_VERSION = 1

/** The text of a company that is indexed: its name, industry, description and location. */
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

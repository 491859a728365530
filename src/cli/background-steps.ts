import { sql } from 'kysely'
import { countMissingIndexes } from '#src/features/fields/index.ts'
import type { Config } from '#src/platform/config/config.ts'
import type { Db } from '#src/platform/database/database.ts'
import { countRows, numberOf } from './upgrade-estimate.ts'

/**
 * What the service has not finished in the background, which it does in batches and continues after a restart. Requests
 * are answered while it runs.
 */
export async function backgroundSteps(db: Db, config: Config): Promise<string[]> {
  const companies = await countRows(db, 'companies')
  const ofCompanies = (waiting: number) => `${numberOf(waiting)} of ${numberOf(companies)} companies to go`
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::float8 as waiting from embeddings_due where reason is null`.execute(db)
  const vectors = rows[0]?.waiting ?? 0
  const steps: [waiting: number, text: string][] = []
  const words = await countRows(db, 'companies_to_embed')
  if (config.embeddings.kind !== 'off') steps.push([words, `index of words: ${ofCompanies(words)}`])
  if (config.embeddings.model) steps.push([vectors, `vectors of semantic search: ${numberOf(vectors)} to go`])
  const compared = await countRows(db, 'companies_to_compare')
  steps.push([compared, `possible duplicates: ${ofCompanies(compared)}`])
  const websites = config.logos === 'off' ? 0 : await countRows(db, 'website_changes')
  steps.push([websites, `logos: ${numberOf(websites)} websites to go`])
  const indexes = await countMissingIndexes(db)
  steps.push([indexes, `indexes of custom fields: ${numberOf(indexes)} to build`])
  return steps.filter(([waiting]) => waiting > 0).map(([_waiting, text]) => text)
}

import { type Kysely, sql } from 'kysely'

/** Companies can be sorted by these columns, with case and accents folded. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['country', 'hq_city', 'industry_category'])
    await sql`
      create index ${sql.id(`companies_by_folded_${column}`)} on companies (fold_text(${sql.id(column)}), id)`.execute(
      db,
    )
}

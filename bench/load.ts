import { sql } from 'kysely'
import { COUNTERS } from '#src/counters.ts'
import { insertActivity } from '#src/features/activity/store.ts'
import { newCompany } from '#src/features/companies/company-row.ts'
import { companyActivity } from '#src/features/companies/company-update.ts'
import { insertCompanies } from '#src/features/companies/store.ts'
import { storeIdentities } from '#src/features/duplicates/compare.ts'
import { identityOf, RULES } from '#src/features/duplicates/identity.ts'
import { migrations } from '#src/migrations/migrations.ts'
import { foldCounters } from '#src/platform/database/counters.ts'
import type { Db } from '#src/platform/database/database.ts'
import { migrate } from '#src/platform/database/migrate.ts'
import { openDatabase } from '#src/platform/database/open.ts'
import { newId } from '#src/platform/ids.ts'
import { companyOf, OLD_WORD, WITHOUT_OLD_WORD } from './companies.ts'
import { insertFields, storedValues } from './custom-fields.ts'

const BATCH = 2000

export interface Place {
  databaseUrl: string | undefined
  dataFolder: string
}

export const TAG = 'watch list'

/**
 * Fills a new database with companies and their activity, without the service.
 * @param customFields how many custom fields the companies have; with them, one company in a hundred has a tag
 * @returns a sample of the ids
 */
export async function load(place: Place, companies: number, customFields = 0): Promise<string[]> {
  // Index builds take longer than the statements of requests may.
  const { background: db, close } = await openDatabase(place)
  await migrate(db, migrations)
  const fields = await insertFields(db, customFields)
  const rebuild = await dropIndexes(db)
  const ids: string[] = []
  for (let start = 0; start < companies; start += BATCH) {
    const numbers = Array.from(
      { length: Math.min(BATCH, companies - start) },
      (_value, index) => start + index,
    )
    const rows = numbers.map((n) => {
      const company = companyOf(n)
      if (n % 10 === 0 && n < companies - WITHOUT_OLD_WORD) company.activity_description += ` ${OLD_WORD}`
      const tags = customFields > 0 && n % 100 === 0 ? [TAG] : []
      return newCompany(newId('cmp'), { ...company, tags, custom: storedValues(fields, n) })
    })
    await insertCompanies(rows).execute(db)
    await insertActivity(
      { email: 'bench@example.com' },
      rows.map(({ id }) => companyActivity('company_created', id)),
    ).execute(db)
    await storeIdentities(
      db,
      rows.map((row) => ({ id: row.id, identity: identityOf(row) })),
    )
    ids.push(...rows.filter((_row, index) => index % Math.ceil(companies / 20_000) === 0).map(({ id }) => id))
    if (start % 100_000 === 0) process.stderr.write(`  ${start} of ${companies} companies\r`)
  }
  process.stderr.write('  building indexes                    \r')
  await rebuild()
  await foldCounters(db, COUNTERS)
  await endDuplicateScan(db)
  await sql`vacuum analyze`.execute(db)
  await close()
  return ids
}

/** Otherwise the service would compare all companies during the measurements. */
export async function endDuplicateScan(db: Db): Promise<void> {
  await sql`truncate companies_to_compare`.execute(db)
  await sql`insert into duplicate_scan (rules, last_id, finished_at) values (${RULES}, '', now())`.execute(db)
}

/** Drops the indexes that only speed up reads; the returned function recreates them. */
async function dropIndexes(db: Db): Promise<() => Promise<void>> {
  const { rows } = await sql<{ name: string; definition: string }>`
    select indexname as name, indexdef as definition from pg_indexes
    where schemaname = 'public' and indexname ~ '_by_'`.execute(db)
  for (const { name } of rows) await sql`drop index ${sql.id(name)}`.execute(db)
  return async () => {
    await sql`set maintenance_work_mem = '512MB'`.execute(db)
    for (const { definition } of rows) await sql.raw(definition).execute(db)
  }
}

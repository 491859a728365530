import { type RawBuilder, sql } from 'kysely'
import { companyFields } from '#src/features/companies/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { type Json, type JsonPage, readPage, utc } from '#src/platform/database/sql.ts'
import { orNotFound } from '#src/platform/errors.ts'
import type { User } from '#src/platform/identity/identity.ts'
import { pageOf } from '#src/platform/schema/shapes.ts'
import type { DuplicateQuery } from './schema.ts'

/** A company in the trash hides its pairs; restoring it shows them again. */
const visible = sql`duplicates
  join companies older on older.id = older_id
  join companies newer on newer.id = newer_id`

const companyOf = (id: string) =>
  sql`(select row_to_json(company) from (select ${companyFields} from companies where companies.id = ${sql.ref(id)}) company)`

const duplicateFields = sql`duplicates.id, score, to_json(reasons) as reasons,
  case when dismissed_at is null then 'open' else 'dismissed' end as status,
  json_build_array(${companyOf('older_id')}, ${companyOf('newer_id')}) as companies,
  ${utc('found_at')}, ${utc('dismissed_at')}, dismissed_by`

/** A page of pairs, the highest score first. */
export function listDuplicates(db: Db, query: DuplicateQuery): Promise<JsonPage> {
  const order = sql`order by score desc, duplicates.id`
  return readPage(
    db,
    { table: visible, fields: duplicateFields, where: conditions(query), order },
    pageOf(query),
  )
}

function conditions({ company_id, min_score, status }: DuplicateQuery): RawBuilder<unknown>[] {
  const where = [status === 'dismissed' ? sql`dismissed_at is not null` : sql`dismissed_at is null`]
  if (company_id) where.push(sql`(older_id = ${company_id} or newer_id = ${company_id})`)
  if (min_score !== undefined) where.push(sql`score >= ${min_score}`)
  return where
}

/**
 * Dismisses a pair, or takes the dismissal back. Repeating it changes nothing.
 * @returns the pair
 * @throws NotFound if there is no such pair, or one of its companies is in the trash
 */
export async function setDismissed(
  db: Db,
  id: string,
  isDismissed: boolean,
  user: User | null,
): Promise<Json> {
  return db.transaction().execute(async (transaction) => {
    await (isDismissed
      ? sql`update duplicates set dismissed_at = now(), dismissed_by = ${user?.email ?? null}
          where id = ${id} and dismissed_at is null`
      : sql`update duplicates set dismissed_at = null, dismissed_by = null
          where id = ${id} and dismissed_at is not null`
    ).execute(transaction)
    const { rows } = await sql<{ record: Json }>`
      select row_to_json(record)::text as record
      from (select ${duplicateFields} from ${visible} where duplicates.id = ${id}) record`.execute(
      transaction,
    )
    return orNotFound(rows[0]?.record, 'duplicate', id)
  })
}

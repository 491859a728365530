import { sql } from 'kysely'
import type { NewActivity } from '#src/features/activity/index.ts'
import { removeLinks } from '#src/features/links/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { idsOf } from '#src/platform/ids.ts'

/**
 * Deletes files for good, also from the trash, with the values in their history. Their objects become those of abandoned
 * uploads, which are deleted after the transaction.
 * @returns the activity, for the caller to record
 */
export async function purgeFiles(transaction: Db, ids: readonly string[]): Promise<NewActivity[]> {
  if (ids.length === 0) return []
  await sql`
    with versions as (delete from file_versions where file_id = any(${ids}) returning object_key)
    insert into pending_uploads (object_key, abandoned) select object_key, true from versions`.execute(
    transaction,
  )
  await sql`delete from files where id = any(${ids})`.execute(transaction)
  await sql`delete from trash where id = any(${ids})`.execute(transaction)
  await removeLinks(transaction, ids)
  await sql`update activity set changes = null, metadata = '{}' where entity_id = any(${ids})`.execute(
    transaction,
  )
  return ids.map((entity_id) => ({ activity_type: 'file_purged', entity_type: 'file', entity_id }))
}

/**
 * Deletes the files that are about records alone which are being purged.
 * @returns the activity, for the caller to record
 */
export async function purgeFilesAbout(transaction: Db, ids: readonly string[]): Promise<NewActivity[]> {
  const { rows: about } = await sql<{ id: string }>`
    select distinct record_id as id from links
    where target_id = any(${ids}) and relation = 'about' and starts_with(record_id, 'file_') order by record_id`.execute(
    transaction,
  )
  if (about.length === 0) return []
  for (const table of ['trash', 'files'])
    await sql`select from ${sql.table(table)} where id = any(${idsOf(about)}) order by id for update`.execute(
      transaction,
    )
  const { rows: alone } = await sql<{ id: string }>`
    select record_id as id from links where record_id = any(${idsOf(about)}) and relation = 'about'
    group by record_id having bool_and(target_id = any(${ids})) order by record_id`.execute(transaction)
  return purgeFiles(transaction, idsOf(alone))
}

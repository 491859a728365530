import { sql } from 'kysely'
import type { NewActivity } from '#src/features/activity/index.ts'
import { removeLinks } from '#src/features/links/index.ts'
import type { Db } from '#src/platform/database/database.ts'

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

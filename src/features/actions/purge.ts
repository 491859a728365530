import { sql } from 'kysely'
import type { Logger } from 'pino'
import { type Action, newAction, recordAction } from '#src/features/activity/store.ts'
import { type AuditSource, NO_REQUEST, recordAudit } from '#src/features/audit/store.ts'
import { profileKey, sourceKey } from '#src/features/companies/store.ts'
import { removeVerdicts } from '#src/features/matches/store.ts'
import { isMerged, notInTrash } from '#src/features/trash/store.ts'
import type { Db } from '#src/platform/database/database.ts'
import { Unavailable } from '#src/platform/errors.ts'
import type { Objects } from '#src/platform/objects/objects.ts'

const BATCH_SIZE = 100
const PURGE_INTERVAL_HOURS = 1

export interface PurgeParts {
  db: Db
  objects: Objects
}

/**
 * Purges a record from the trash: with its files, its deals, and the values in its history.
 * @throws NotFound if it is not in the trash, Conflict for a merged company, Unavailable if its files cannot be deleted; the purge is then completed later
 */
export async function purgeRecord(
  parts: PurgeParts,
  action: Action,
  id: string,
  request: AuditSource,
): Promise<void> {
  const marked = await markForPurge(parts.db, [id])
  if (marked.length === 0) throw await notInTrash(parts.db, id)
  await completePurge(parts, action, marked, request)
}

/**
 * Marks records with all of their deals, and the companies that were merged into them. From then on nothing brings them
 * back, and a crash only delays the purge.
 */
async function markForPurge(db: Db, ids: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update trash set purging = true where id in (
      select id from trash where id = any(${ids}) or company_id = any(${ids}) or company_id in (
        select id from trash where company_id = any(${ids}) and ${isMerged}) order by id for update)
      and exists (select from trash where trash.id = any(${ids}) and (purging or not ${isMerged}))
    returning id`.execute(db)
  return rows.map(({ id }) => id)
}

async function completePurge(
  { db, objects }: PurgeParts,
  action: Action,
  ids: string[],
  source: AuditSource = NO_REQUEST,
): Promise<void> {
  const files = ids.filter((id) => id.startsWith('cmp_')).flatMap((id) => [profileKey(id), sourceKey(id)])
  await objects.delete(files).catch((error) => {
    throw new Unavailable('Object storage could not delete the files. The purge will finish once it can.', {
      cause: error,
    })
  })
  await db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ id: string; entity_type: 'company' | 'dealflow' | 'thesis' }>`
      delete from trash where id = any(${ids}) returning id, entity_type`.execute(transaction)
    await removeVerdicts(transaction, ids)
    await sql`
      update activity set changes = null, metadata = '{}'
      where entity_id = any(${ids}) or company_id = any(${ids})`.execute(transaction)
    await recordAction(
      transaction,
      action,
      rows.map(({ id, entity_type }) => ({
        activity_type: `${entity_type}_purged`,
        entity_type,
        entity_id: id,
        ...(entity_type === 'company' && { company_id: id }),
      })),
    )
    await recordAudit(transaction, source, { event: 'purge', details: { ids } })
  })
}

/** Purges what has been in the trash for too long, and completes interrupted purges. */
export async function purgeExpired(
  parts: PurgeParts,
  trashDays: number,
  stopped: AbortSignal,
): Promise<number> {
  let purged = 0
  while (!stopped.aborted) {
    const { rows } = await sql<{ id: string }>`
      select id from trash where purging
        or (${trashDays}::int > 0 and parent_id is null and deleted_at < now() - make_interval(days => ${trashDays}))
      order by deleted_at, id limit ${BATCH_SIZE}`.execute(parts.db)
    if (rows.length === 0) return purged
    const marked = await markForPurge(
      parts.db,
      rows.map(({ id }) => id),
    )
    await completePurge(parts, newAction('purge', null), marked)
    purged += marked.length
  }
  return purged
}

/** Purges at most once an hour. */
export function hourlyPurge(
  parts: PurgeParts,
  trashDays: number,
  log: Logger,
): (stopped: AbortSignal) => Promise<void> {
  let nextRun = 0
  return async (stopped) => {
    if (Date.now() < nextRun) return
    const purged = await purgeExpired(parts, trashDays, stopped)
    nextRun = Date.now() + PURGE_INTERVAL_HOURS * 3600 * 1000
    if (purged > 0) log.info({ purged }, 'records that had been in the trash for too long were purged')
  }
}

import { sql } from 'kysely'
import type { Logger } from 'pino'
import { type Action, type NewActivity, newAction, recordAction } from '#src/features/activity/index.ts'
import { type AuditSource, NO_REQUEST, recordAudit } from '#src/features/audit/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { Unavailable } from '#src/platform/errors.ts'
import { isRefusal, type Objects, type RefusedDeletions } from '#src/platform/objects/objects.ts'
import type { RecordKind } from './kind.ts'
import type { TrashedType } from './schema.ts'
import { isMerged, notInTrash } from './store.ts'

const BATCH_SIZE = 100
const PURGE_INTERVAL_HOURS = 1

interface PurgeParts {
  db: Db
  objects: Objects
  kinds: readonly RecordKind[]
}

/**
 * Purges a record from the trash: with its files, its deals, and the values in its history.
 * @throws NotFound if it is not in the trash, Conflict for a merged record, Unavailable if its files cannot be
 *   deleted: the purge is completed later
 */
export async function purgeRecord(
  parts: PurgeParts,
  action: Action,
  id: string,
  request: AuditSource,
): Promise<void> {
  const marked = await markForPurge(parts.db, [id])
  if (marked.length === 0) throw await notInTrash(parts.db, id)
  const [reason] = (await completePurge(parts, action, marked, request)).values()
  if (reason) throw new Unavailable(`${reason} The purge will finish once this is allowed.`)
}

/**
 * Marks records with all of their deals and replies, and the records that were merged into them. From then on they cannot be
 * restored, and a crash only delays the purge.
 */
async function markForPurge(db: Db, ids: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update trash set purging = true where id in (
      select id from trash where id = any(${ids}) or company_id = any(${ids}) or company_id in (
        select id from trash where company_id = any(${ids}) and ${isMerged})
      or (entity_type = 'note' and content -> 'record' ->> 'parent_id' = any(${ids})) order by id for update)
      and exists (select from trash where trash.id = any(${ids}) and (purging or not ${isMerged}))
    returning id`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Deletes the files of marked records, and purges all marked records but those whose files the store refuses to delete.
 * @returns the records that remain, with the store's reason
 */
async function completePurge(
  parts: PurgeParts,
  action: Action,
  marked: string[],
  source: AuditSource = NO_REQUEST,
): Promise<Map<string, string>> {
  const { db, kinds } = parts
  const refused = await deleteFiles(parts, marked)
  await db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ id: string; entity_type: TrashedType }>`
      delete from trash where id = any(${marked}) and not ${belongsTo([...refused.keys()])}
      returning id, entity_type`.execute(transaction)
    const ids = rows.map(({ id }) => id)
    if (ids.length === 0) return
    const attached: NewActivity[] = []
    for (const { purge, purgeAttached, prefix } of kinds) {
      const own = ofKind(prefix, ids)
      if (own.length === 0) continue
      attached.push(...((await purgeAttached?.(transaction, own)) ?? []))
      await purge?.(transaction, own)
    }
    await sql`
      update activity set changes = null, metadata = '{}'
      where entity_id = any(${ids}) or company_id = any(${ids})`.execute(transaction)
    await recordAction(transaction, action, [
      ...rows.map(
        ({ id, entity_type }): NewActivity => ({
          activity_type: `${entity_type}_purged`,
          entity_type,
          entity_id: id,
          ...(entity_type === 'company' && { company_id: id }),
        }),
      ),
      ...attached.filter(({ entity_id }) => !ids.includes(entity_id)),
    ])
    await recordAudit(transaction, source, { event: 'purge', details: { ids } })
  })
  return refused
}

/** The companies themselves, their deals, and what was merged into them. */
const belongsTo = (companies: string[]) =>
  sql`(id = any(${companies}) or coalesce(company_id, '') = any(${companies}))`

const ofKind = (prefix: RecordKind['prefix'], ids: readonly string[]) =>
  ids.filter((id) => id.startsWith(`${prefix}_`))

/**
 * @returns the records whose files the store refuses to delete, with its reason
 * @throws Unavailable if the store is down
 */
async function deleteFiles(
  { db, objects, kinds }: PurgeParts,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const files = new Map<string, string[]>()
  for (const { prefix, filesOf } of kinds) {
    const own = ofKind(prefix, ids)
    if (filesOf && own.length > 0) for (const [id, keys] of await filesOf(db, own)) files.set(id, keys)
  }
  const refused = new Map<string, string>()
  try {
    await objects.delete([...files.values()].flat())
  } catch (error) {
    if (!isRefusal(error)) throw storeDown(error)
    for (const [id, keys] of files)
      await objects.delete(keys).catch((reason) => {
        if (!isRefusal(reason)) throw storeDown(reason)
        refused.set(id, reason.message)
      })
  }
  return refused
}

const storeDown = (cause: unknown) =>
  new Unavailable('Object storage could not delete the files. The purge will finish once it can.', { cause })

/**
 * Purges records whose time in the trash is over, and completes interrupted purges. If the store refuses to delete the
 * files of a record, the others are still purged; if it refuses those of a whole batch, the remaining ones with files wait.
 * @returns how many records were purged, and the records that the store refused, with its reason
 * @throws Unavailable if object storage is down
 */
export async function purgeExpired(
  parts: PurgeParts,
  trashDays: number,
  stopped: AbortSignal,
): Promise<{ purged: number; refused: Map<string, string> }> {
  const refused = new Map<string, string>()
  let purged = 0
  const owners = parts.kinds.filter(({ filesOf }) => filesOf)
  const types = owners.map(({ entity_type }) => entity_type)
  let skipsFiles = false
  while (!stopped.aborted) {
    const { rows } = await sql<{ id: string }>`
      select id from trash where (purging
        or (${trashDays}::int > 0 and parent_id is null and deleted_at < now() - make_interval(days => ${trashDays})))
        and not ${belongsTo([...refused.keys()])} and not (${skipsFiles} and entity_type = any(${types}))
      order by deleted_at, id limit ${BATCH_SIZE}`.execute(parts.db)
    if (rows.length === 0) break
    const marked = await markForPurge(
      parts.db,
      rows.map(({ id }) => id),
    )
    const remaining = await completePurge(parts, newAction('purge', null), marked)
    for (const [id, reason] of remaining) refused.set(id, reason)
    const withFiles = owners.flatMap(({ prefix }) => ofKind(prefix, marked)).length
    skipsFiles ||= withFiles > 1 && remaining.size === withFiles
    purged += marked.length - remaining.size
  }
  return { purged, refused }
}

/** Purges at most once an hour, and keeps what was refused for the readiness check and the metrics. */
export function hourlyPurge(
  parts: PurgeParts,
  trashDays: number,
  refusedDeletions: RefusedDeletions,
  log: Logger,
): (stopped: AbortSignal) => Promise<void> {
  let nextRun = 0
  return async (stopped) => {
    if (Date.now() < nextRun) return
    const { purged, refused } = await purgeExpired(parts, trashDays, stopped)
    nextRun = Date.now() + PURGE_INTERVAL_HOURS * 3600 * 1000
    if (purged > 0) log.info({ purged }, 'records that had been in the trash for too long were purged')
    const [reason] = refused.values()
    refusedDeletions.records = refused.size
    refusedDeletions.reason =
      reason && `Records in the trash cannot be purged: ${reason} The next attempt is in an hour.`
    if (reason) log.warn({ records: refused.size }, refusedDeletions.reason)
  }
}

import { sql } from 'kysely'
import { type Action, changesOf, type NewActivity, recordAction } from '#src/features/activity/index.ts'
import { findHidden } from '#src/features/visibility/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { laterThan, utc } from '#src/platform/database/sql.ts'
import { moveLinks } from './changes.ts'
import { type LinkedPrefix, readLinkedRecords, readLinks, writeLinks } from './store.ts'

/** A kind of records that have links. */
export interface LinkedKind {
  table: string
  prefix: LinkedPrefix
  entity_type: NewActivity['entity_type']
  /** What the ledger calls a change. */
  activity_type: NewActivity['activity_type']
}

/**
 * Makes records about some others, private ones too and those in the trash, records about another one, and records it, so that
 * an undo brings all links back. Of people, this includes those who took part.
 * @param from those first whose links are preferred
 * @returns the ids of those records that are not in the trash and that the user of the action may see
 */
export async function moveLinkedRecords(
  { table, prefix, entity_type, activity_type }: LinkedKind,
  transaction: Db,
  action: Action,
  { from, to }: { from: string[]; to: string },
): Promise<string[]> {
  const ids = await readLinkedRecords(transaction, prefix, from)
  // Restoring locks in this order too.
  await sql`select from trash where id = any(${ids}) order by id for update`.execute(transaction)
  await sql`select from ${sql.table(table)} where id = any(${ids}) order by id for no key update`.execute(
    transaction,
  )
  const before = await readLinks(transaction, ids)
  const changes = ids
    .map((record_id) => ({ record_id, links: moveLinks(before.get(record_id) ?? {}, from, to) }))
    .filter(({ links }) => Object.keys(links).length > 0)
  const moved = changes.map(({ record_id }) => record_id)
  await writeLinks(transaction, changes)
  const times = await touchRecords(transaction, table, moved)
  const now = new Date().toISOString()
  await recordAction(
    transaction,
    action,
    changes.map(({ record_id, links }) => ({
      ...{ activity_type, entity_type, entity_id: record_id },
      timestamp: times.get(record_id) ?? now,
      metadata: { fields: Object.keys(links) },
      changes: changesOf(before.get(record_id) ?? {}, links, Object.keys(links)),
    })),
  )
  const hidden = await findHidden(transaction, action.user, moved)
  return moved.filter((id) => times.has(id) && !hidden.has(id))
}

/** Gives records a later `updated_at`. @returns it by id; those in the trash are missing */
export async function touchRecords(
  transaction: Db,
  table: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; updated_at: string }>`
    with changed as (
      update ${sql.table(table)} set updated_at = ${laterThan('updated_at')} where id = any(${[...ids]})
      returning id, updated_at)
    select id, ${utc('updated_at')} from changed`.execute(transaction)
  return new Map(rows.map(({ id, updated_at }) => [id, updated_at]))
}

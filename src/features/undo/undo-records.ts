import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Action, Changes } from '#src/features/activity/index.ts'
import type { Appearance, RecordKind } from '#src/features/trash/index.ts'
import { findTrashed } from '#src/features/trash/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { normalizeName, normalizeTexts } from '#src/platform/schema/normalize-text.ts'
import { type Creation, findBuiltOn } from './built-on.ts'
import type { Skipped, SkipReason } from './schema.ts'

/** The activity of an action about one record, oldest first. */
export interface RecordedChange {
  entity_id: string
  activity_type: string
  /** The company that it was merged into, or split off. */
  survivor: string | null
  changes: Changes | null
}

/** What an undo did to a batch of records. */
export interface Outcome {
  reverted: Set<string>
  skipped: Skipped[]
}

/** What an action did to a record as a whole: whether it existed before and after, and its changed fields. */
interface Effect extends Appearance {
  /** undefined: it existed before and after. */
  existedBefore: boolean | undefined
  changes: Changes
}

/**
 * Undoes what an action did to these records.
 * @param creation the undone action, if created records that others have built on must stay
 */
export async function undoRecords<R extends { id: string }>(
  transaction: Db,
  action: Action,
  kind: RecordKind<R>,
  { recorded, creation }: { recorded: RecordedChange[]; creation: Creation | undefined },
): Promise<Outcome> {
  const effects = effectsOf(recorded)
  const outcome: Outcome = { reverted: new Set(), skipped: [] }
  const skip = (entity_id: string, field: string | null, reason: SkipReason) =>
    outcome.skipped.push({ entity_type: kind.entity_type, entity_id, field, reason })

  await kind.keepReferences?.(
    transaction,
    effects.map(({ changes }) => changes),
  )
  const deleted = effects.filter(({ existedBefore }) => existedBefore === true)
  if (deleted.length > 0) {
    const { restored, refused } = await kind.restore(transaction, action, deleted)
    for (const id of restored) outcome.reverted.add(id)
    for (const { id, reason } of refused) skip(id, null, reason)
  }

  const { links } = kind
  const all = effects.map(({ id }) => id)
  const inTrash = (await links?.lockTrashed(transaction, all)) ?? []
  const records = await kind.lock(transaction, all)
  const existing = new Set(records.map(({ id }) => id))
  // Existing records get all fields back; deleted and merged ones only their links.
  const changed = effects.map((effect) =>
    existing.has(effect.id) ? effect : { ...effect, changes: linksIn(effect.changes, links) },
  )
  await putBack(transaction, action, kind, changed, [...inTrash, ...records], outcome)

  const created = effects.filter(({ id, existedBefore }) => existedBefore === false && existing.has(id))
  const ids = created.map(({ id }) => id)
  const kept =
    creation && ids.length > 0 ? await findBuiltOn(transaction, kind.entity_type, ids, creation) : []
  for (const { id, reason } of kept) skip(id, null, reason)
  const keptIds = new Set(kept.map(({ id }) => id))
  const removable = created.filter(({ id }) => !keptIds.has(id))
  if (removable.length > 0) {
    const { removed, refused } = await kind.remove(transaction, action, removable)
    for (const id of removed) outcome.reverted.add(id)
    for (const { id, reason } of refused) skip(id, null, reason)
  }

  const missing = effects.filter(({ id }) => !existing.has(id))
  const trashed = await findTrashed(
    transaction,
    missing.map(({ id }) => id),
  )
  const explained = new Set(outcome.skipped.map(({ entity_id }) => entity_id))
  const withLinks = new Set(inTrash.map(({ id }) => id))
  for (const { id, existedBefore, changes } of missing) {
    const isMerged = Boolean(trashed.get(id)?.survivor)
    const fields = Object.keys(changes)
    if (withLinks.has(id) && fields.length > 0 && fields.every((field) => links?.isLink(field))) continue
    if (explained.has(id) || (existedBefore === false && !isMerged)) continue
    skip(id, null, isMerged ? 'merged' : trashed.has(id) ? 'in_trash' : 'purged')
  }
  return outcome
}

const linksIn = (changes: Changes, links: RecordKind['links']): Changes =>
  Object.fromEntries(Object.entries(changes).filter(([field]) => links?.isLink(field)))

/** Puts previous values back where the values of the action are still current. */
async function putBack<R extends { id: string }>(
  transaction: Db,
  action: Action,
  kind: RecordKind<R>,
  effects: Effect[],
  records: R[],
  { reverted, skipped }: Outcome,
): Promise<void> {
  const byId = new Map(records.map((record) => [record.id, record]))
  const previous = new Map<string, Record<string, unknown>>()
  const fields = new Set(effects.flatMap(({ changes }) => Object.keys(changes)))
  const deleted = await kind.findDeletedFields?.(transaction, fields)
  for (const { id, changes, existedBefore } of effects) {
    const record = byId.get(id) as Record<string, unknown> | undefined
    if (!record || existedBefore === false) continue
    const values: Record<string, unknown> = {}
    for (const [field, { from: recorded, to }] of Object.entries(changes)) {
      const present = record[field] ?? null
      const from = normalizeTexts(recorded)
      if (isDeepStrictEqual(present, from)) continue
      if (deleted?.has(field))
        skipped.push({ entity_type: kind.entity_type, entity_id: id, field, reason: 'field_missing' })
      else if (isSame(present, to)) values[field] = from
      else skipped.push({ entity_type: kind.entity_type, entity_id: id, field, reason: 'changed_since' })
    }
    if (Object.keys(values).length > 0) previous.set(id, values)
  }
  for (const { id, field, reason } of await kind.findObstacles(transaction, previous, action)) {
    skipped.push({ entity_type: kind.entity_type, entity_id: id, field, reason })
    delete previous.get(id)?.[field]
  }
  const changed = [...previous]
    .filter(([_id, values]) => Object.keys(values).length > 0)
    .map(([id, values]) => ({ before: byId.get(id) as R, values }))
  if (changed.length > 0) await kind.write(transaction, action, changed)
  for (const { before } of changed) reverted.add(before.id)
}

/** Whether a value is the recorded one, which may have been recorded before stored texts were normalized. */
const isSame = (present: unknown, recorded: unknown): boolean =>
  isDeepStrictEqual(present, recorded) || isDeepStrictEqual(comparable(present), comparable(recorded))

function comparable(value: unknown): unknown {
  if (typeof value === 'string') return normalizeName(value).trim() || null
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return [...new Set(value.map(comparable))].sort()
  return normalizeTexts(structuredClone(value))
}

const EXISTENCE = /_(created|restored|deleted|merged|unmerged)$/

function effectsOf(recorded: RecordedChange[]): Effect[] {
  const effects = new Map<string, Effect>()
  for (const { entity_id, activity_type, survivor, changes } of recorded) {
    const effect = effects.get(entity_id) ?? {
      id: entity_id,
      existedBefore: undefined,
      survivor,
      changes: {},
    }
    effects.set(entity_id, effect)
    const [, event] = EXISTENCE.exec(activity_type) ?? []
    if (event) effect.existedBefore ??= event === 'deleted' || event === 'merged'
    effect.survivor ??= survivor
    for (const [field, { from, to }] of Object.entries(changes ?? {}))
      effect.changes[field] = { from: effect.changes[field] ? effect.changes[field].from : from, to }
  }
  return [...effects.values()]
}

/** The changes that an action made to these records, oldest first. */
export async function readRecorded(db: Db, action_id: string, ids: string[]): Promise<RecordedChange[]> {
  const { rows } = await sql<RecordedChange>`
    select entity_id, activity_type, metadata ->> 'merged_into' as survivor, changes from activity
    where action_id = ${action_id} and entity_id = any(${ids})
    order by entity_id, "timestamp", id`.execute(db)
  return rows
}

/** The records of one type that an action changed, after this id. */
export async function nextRecords(
  db: Db,
  action_id: string,
  prefix: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ entity_id: string }>`
    select distinct entity_id from activity
    where action_id = ${action_id} and entity_id > greatest(${after}::text, ${`${prefix}_`}::text) collate "C"
      and entity_id < ${`${prefix}\``} collate "C"
    order by entity_id limit ${limit}`.execute(db)
  return rows.map(({ entity_id }) => entity_id)
}

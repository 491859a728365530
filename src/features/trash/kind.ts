import type { Action, Changes, NewActivity } from '#src/features/activity/index.ts'
import type { Viewer } from '#src/features/visibility/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { TrashedType } from './schema.ts'

/** A record that an action created, deleted, merged or split off. */
export interface Appearance {
  id: string
  /** The company or person that it was merged into, or split off; null if it was neither. */
  survivor: string | null
}

/** Why a record stays where it is. */
export interface Refusal {
  id: string
  reason: 'code_taken' | 'company_missing' | 'record_missing' | 'survivor_missing'
  detail: string
}

export interface Removal {
  /** The ids of the removed records, and of those that went with them. */
  removed: string[]
  refused: Refusal[]
}

export interface Restoration {
  /** The ids of the restored records, and of those that came with them. */
  restored: string[]
  refused: Refusal[]
}

/** A previous field value that cannot be put back. */
export interface Obstacle {
  id: string
  field: string
  reason:
    | 'code_taken'
    | 'company_missing'
    | 'thesis_missing'
    | 'record_missing'
    | 'value_not_allowed'
    | 'changed_since'
    | 'not_yours'
}

/** Previous values of fields, by the id of their record. */
export type PreviousValues = Map<string, Record<string, unknown>>

/**
 * One kind of record that trash and undo know. A slice declares its own, and `kinds.ts` registers it.
 * All functions run in the transaction of the caller and record what they change as part of the action.
 */
export interface RecordKind<R extends { id: string } = { id: string }> {
  entity_type: TrashedType
  /** The beginning of the ids. */
  prefix: 'cmp' | 'th' | 'df' | 'per' | 'note' | 'dec' | 'tsk' | 'file'
  /**
   * The users that records belong to, also in the trash. Leaves out records that are deleted and restored with another
   * of these, such as replies. A record of several users belongs to this one if they are among them. Deleting and restoring records of a kind without owners needs the permission to delete.
   */
  readOwners?(db: Db, ids: readonly string[], user: Viewer): Promise<(string | null)[]>
  /** Moves records to the trash, with what belongs to them. */
  remove(transaction: Db, action: Action, records: Appearance[]): Promise<Removal>
  /** Brings records back from the trash, with what was deleted with them. */
  restore(transaction: Db, action: Action, records: Appearance[]): Promise<Restoration>
  /** Deletes what other tables say about records that are purged. */
  purge?(transaction: Db, ids: string[]): Promise<void>
  /** Deletes records of other kinds that are about these alone, before these are purged. Returns their activity. */
  purgeAttached?(transaction: Db, ids: string[]): Promise<NewActivity[]>
  /** The keys of the files of records in object storage, by the ids of the records. */
  filesOf?(db: Db, ids: string[]): Promise<Map<string, string[]>>
  /**
   * Keeps the records that these changes refer to until the transaction ends. Called before records are restored or locked:
   * everything locks the records that others refer to first, so that no two changes wait for each other.
   */
  keepReferences?(transaction: Db, changes: readonly Changes[]): Promise<void>
  /** The records that are not in the trash, locked until the transaction ends. */
  lock(transaction: Db, ids: string[]): Promise<R[]>
  /** Fields that are stored apart from their record and stay when it is deleted or merged. Undo puts them back there too. */
  links?: {
    isLink(field: string): boolean
    /** The deleted and merged records, locked until the transaction ends. */
    lockTrashed(transaction: Db, ids: string[]): Promise<R[]>
  }
  /**
   * The values that cannot be put back, because they are taken, not allowed, refer to a missing record, or may not be changed
   * by the user of the action.
   */
  findObstacles(transaction: Db, previous: PreviousValues, action: Action): Promise<Obstacle[]>
  /** Of these fields, those whose definition was deleted. */
  findDeletedFields?(transaction: Db, fields: ReadonlySet<string>): Promise<ReadonlySet<string>>
  /** Puts values back. */
  write(
    transaction: Db,
    action: Action,
    changed: { before: R; values: Record<string, unknown> }[],
  ): Promise<void>
  /** @throws Conflict if the action cannot be undone before another one is */
  requireUndoable?(transaction: Db, action_id: string): Promise<void>
}

/** The kind of the record with this id. */
export const kindOf = (kinds: readonly RecordKind[], id: string): RecordKind | undefined =>
  kinds.find(({ prefix }) => id.startsWith(`${prefix}_`))

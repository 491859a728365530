import { type Action, insertActivity, type NewActivity } from '#src/features/activity/index.ts'
import type { CustomFieldMap } from '#src/features/fields/index.ts'
import { takeLock } from '#src/platform/database/advisory-locks.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { User } from '#src/platform/identity/identity.ts'
import { siblingId } from '#src/platform/ids.ts'
import type { ImportParts } from '../batch-writer.ts'
import { inTurn, writeOrSplit } from '../batches.ts'
import type { ImportCounts, ImportRequest } from '../import-options.ts'
import type { NamedCompanies, RecordImportReport } from '../record-schema.ts'
import { RowLists } from '../row-lists.ts'
import { restrictToReaders } from '../store.ts'

/** The kinds of records that are imported with the companies that they name. */
export type RecordType = 'person' | 'note' | 'deal'

/** Lists whose records have their own names. */
export class RecordLists extends RowLists {
  get lists() {
    return this.listsWith('record_id', 'record')
  }
}

/** The rows of a file of one kind of record, which have all been read before the first one is written. */
export interface RecordPlanner<Item> {
  /** Takes a row. Reports it if it cannot be imported. */
  add(row: number, cells: string[], fields: CustomFieldMap): void
  /** Decides what happens to all rows, without writing anything. */
  plan(db: Db, fields: CustomFieldMap): Promise<readonly Item[]>
  /** Reports what would happen. */
  foresee(items: readonly Item[]): void
  /** Writes items. @returns reports what has happened, once the transaction is committed */
  write(transaction: Db, items: readonly Item[], action: Action): Promise<() => void>
  /** Reports an item that the database rejects. */
  reject(item: Item, reason: string): void
  readonly companies: NamedCompanies
  /** What only the reports of this kind have. */
  readonly details?: Pick<RecordImportReport, 'stages' | 'stages_omitted'>
}

/** The records of whole imports. The ledger calls deals dealflow. */
const ACTIVITIES: Readonly<
  Record<RecordType, { activity_type: string; entity_type: NewActivity['entity_type'] }>
> = {
  person: { activity_type: 'people_imported', entity_type: 'person' },
  note: { activity_type: 'notes_imported', entity_type: 'note' },
  deal: { activity_type: 'deals_imported', entity_type: 'dealflow' },
}
const MAX_BATCH_ITEMS = 500

type RecordImportParts = Pick<ImportParts, 'db'>

/** An import of people, notes, or deals that is running. */
export class RecordImport<Item> {
  readonly id: string
  readonly #parts: RecordImportParts
  readonly #lists: RecordLists
  readonly #request: ImportRequest & { dryRun: boolean }
  readonly #action: Action
  readonly #activity: (typeof ACTIVITIES)[RecordType]

  constructor(
    parts: RecordImportParts,
    { id, user, type }: { id: string; user: User | null; type: RecordType },
    request: ImportRequest & { dryRun: boolean },
    lists: RecordLists,
  ) {
    this.id = id
    this.#parts = parts
    this.#lists = lists
    this.#request = request
    this.#action = { id: siblingId('ax', this.id), kind: 'import', via: 'import', user }
    this.#activity = ACTIVITIES[type]
  }

  get counts(): ImportCounts {
    return { ...this.#lists.counts }
  }

  /** The action that has changed records; null if nothing has been changed. */
  get changedBy(): string | null {
    const { created, updated, restored } = this.#lists.counts
    return !this.#request.dryRun && created + updated + restored > 0 ? this.#action.id : null
  }

  /**
   * Writes all items in batches of one transaction each.
   * @param onProgress called with the share of the items that have been written
   * @param signal its reason ends the import
   */
  async write(
    planner: RecordPlanner<Item>,
    items: readonly Item[],
    onProgress: (share: number) => void,
    signal: AbortSignal,
  ): Promise<void> {
    for (let start = 0; start < items.length; start += MAX_BATCH_ITEMS) {
      signal.throwIfAborted()
      const batch = items.slice(start, start + MAX_BATCH_ITEMS)
      if (this.#request.dryRun) planner.foresee(batch)
      else
        await inTurn(() =>
          writeOrSplit(
            batch,
            (part) => this.#writeTransaction(planner, part),
            (item, reason) => planner.reject(item, reason),
          ),
        )
      onProgress(Math.min(1, (start + batch.length) / items.length))
    }
  }

  async #writeTransaction(planner: RecordPlanner<Item>, items: readonly Item[]): Promise<void> {
    const report = await this.#parts.db.transaction().execute(async (transaction) => {
      // Imports write one at a time, so that two with the same record create it once.
      await takeLock(transaction, 'import')
      this.#request.requireAllowed()
      return planner.write(transaction, items, this.#action)
    })
    report()
  }

  /** Records the whole import. */
  async finish(): Promise<void> {
    if (this.changedBy === null) return
    const metadata = this.counts
    await this.#parts.db.transaction().execute(async (transaction) => {
      const activity = { ...this.#activity, entity_id: this.id, metadata }
      await restrictToReaders(transaction, this.id, this.#action.id, this.#action.user?.email ?? null)
      await insertActivity(this.#action.user, [activity], this.#action).execute(transaction)
      await this.#request.audit.finished(transaction, metadata)
    })
  }

  /** Audits what was imported before an error ended the import. */
  abandon(): void {
    if (this.changedBy !== null) this.#request.audit.interrupted(this.counts)
  }
}

import { sql } from 'kysely'
import { changesOf, recordAction } from '#src/features/activity/index.ts'
import { findTaken, type RecordKind, setFields } from '#src/features/trash/index.ts'
import { timeAfter, utc } from '#src/platform/database/sql.ts'
import { idsOf } from '#src/platform/ids.ts'
import { trashThesis } from './remove.ts'
import { lockCodes, restoreThesis } from './restore.ts'

interface StoredThesis {
  id: string
  updated_at: string
}

/** How the trash and undo treat theses. */
export const thesisKind: RecordKind<StoredThesis> = {
  entity_type: 'thesis',
  prefix: 'th',
  remove: async (transaction, action, records) => {
    for (const { id } of records) await trashThesis(transaction, action, id)
    return { removed: idsOf(records), refused: [] }
  },
  restore: async (transaction, action, records) => {
    const all = []
    for (const { id } of records) all.push(await restoreThesis(transaction, action, id))
    return {
      restored: all.flatMap(({ restored }) => restored),
      refused: all.flatMap(({ refused }) => refused),
    }
  },
  lock: async (transaction, ids) => {
    const { rows } = await sql<StoredThesis>`
      select id, code, title, summary, report_markdown, status, criteria, ${utc('updated_at')} from theses
      where id = any(${ids}) order by id for no key update`.execute(transaction)
    return rows
  },
  findObstacles: (transaction, previous) =>
    findTaken(previous, 'code', 'code_taken', async (codes) => {
      await lockCodes(transaction)
      return sql`select code as value from theses where code = any(${codes})`.execute(transaction)
    }),
  write: async (transaction, action, changed) => {
    for (const { before, values } of changed) {
      const timestamp = timeAfter(before.updated_at)
      await setFields(transaction, 'theses', before.id, values, timestamp)
      const fields = Object.keys(values)
      await recordAction(transaction, action, [
        {
          activity_type: 'thesis_updated',
          entity_type: 'thesis',
          entity_id: before.id,
          metadata: { fields },
          changes: changesOf(before, values),
          timestamp,
        },
      ])
    }
  },
}

import { sql } from 'kysely'
import { changesOf, recordAction } from '#src/features/activity/index.ts'
import {
  type CustomValues,
  findDeletedFields,
  findForbiddenValues,
  withCustomNames,
  withCustomValues,
} from '#src/features/fields/index.ts'
import { findMissingReferences, type RecordKind, setFields } from '#src/features/trash/index.ts'
import { timeAfter, utc } from '#src/platform/database/sql.ts'
import { idsOf } from '#src/platform/ids.ts'
import { trashDeals } from './remove.ts'
import { restoreDeals } from './restore.ts'
import { findSourceObstacles } from './source.ts'
import { storedDealFields } from './store.ts'
import { updateActivity } from './update-activity.ts'

interface StoredDeal {
  id: string
  company_id: string
  updated_at: string
}

/** How the trash and undo treat deals. */
export const dealKind: RecordKind<StoredDeal> = {
  entity_type: 'dealflow',
  prefix: 'df',
  remove: async (transaction, action, records) => ({
    removed: await trashDeals(transaction, action, idsOf(records)),
    refused: [],
  }),
  restore: (transaction, action, records) => restoreDeals(transaction, action, idsOf(records)),
  lock: async (transaction, ids) => {
    const { rows } = await sql<StoredDeal & { custom: CustomValues }>`
      select id, company_id, ${storedDealFields}, ${utc('updated_at')} from dealflow
      where id = any(${ids}) order by id for no key update`.execute(transaction)
    return rows.map(withCustomNames)
  },
  findDeletedFields: (transaction, fields) => findDeletedFields(transaction, 'deal', fields),
  findObstacles: async (transaction, previous) => [
    ...(await findForbiddenValues(transaction, 'deal', previous)),
    ...(await findMissingReferences(transaction, previous, 'company_id', 'companies', 'company_missing')),
    ...(await findSourceObstacles(transaction, previous)),
  ],
  write: async (transaction, action, changed) => {
    for (const { before, values } of changed) {
      const timestamp = timeAfter(before.updated_at)
      const { custom, ...others } = withCustomValues(values, withCustomValues(before).custom)
      const written = { ...others, custom: JSON.stringify(custom) }
      await setFields(transaction, 'dealflow', before.id, written, timestamp)
      const changes = changesOf(before, values)
      await recordAction(transaction, action, updateActivity(before, changes, timestamp))
    }
  },
}

import { sql } from 'kysely'
import { recordAction } from '#src/features/activity/index.ts'
import {
  findDeletedFields,
  findForbiddenValues,
  withCustomNames,
  withCustomValues,
} from '#src/features/fields/index.ts'
import { findMissingReferences, type RecordKind } from '#src/features/trash/index.ts'
import { idsOf } from '#src/platform/ids.ts'
import type { CompanyAttachment } from './attachment.ts'
import type { StoredCompany } from './company-row.ts'
import { applyPatch, companyUpdate } from './company-update.ts'
import { profileKey, sourceKey } from './files.ts'
import { trashCompanies } from './remove.ts'
import { restoreCompanies } from './restore.ts'
import { lockCompanies, updateCompanies } from './store.ts'

/** How the trash and undo treat companies. */
export const companyKind = (
  attachment: CompanyAttachment,
): RecordKind<{ id: string } & Omit<StoredCompany, 'custom'>> => ({
  entity_type: 'company',
  prefix: 'cmp',
  remove: async (transaction, action, records) => ({
    removed: await trashCompanies(transaction, action, idsOf(records), attachment),
    refused: [],
  }),
  restore: (transaction, action, records) =>
    restoreCompanies(transaction, action, idsOf(records), attachment),
  filesOf: async (_db, ids) => new Map(ids.map((id) => [id, [profileKey(id), sourceKey(id)]])),
  lock: async (transaction, ids) =>
    (await lockCompanies(transaction, sql`companies.id = any(${ids})`)).map(withCustomNames),
  findDeletedFields: (transaction, fields) => findDeletedFields(transaction, 'company', fields),
  findObstacles: async (transaction, previous) => [
    ...(await findForbiddenValues(transaction, 'company', previous)),
    ...(await findMissingReferences(transaction, previous, 'thesis_id', 'theses', 'thesis_missing')),
  ],
  write: async (transaction, action, changed) => {
    const updates = changed.map((change) => {
      const before: StoredCompany = withCustomValues(change.before)
      return { before, ...applyPatch(before, withCustomValues(change.values, before.custom)) }
    })
    await updateCompanies(updates.map(({ company }) => company)).execute(transaction)
    await recordAction(
      transaction,
      action,
      updates.map(({ before, company, changed: fields }) => companyUpdate(before, company, fields)),
    )
  },
})

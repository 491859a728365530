import type { Context } from './context.ts'
import { activityFields } from './features/activity/index.ts'
import { blockReasons, readBulkActions } from './features/bulk-actions/index.ts'
import { companyFieldKind, companyFields, companyKind } from './features/companies/index.ts'
import { dealFieldKind, dealFields, dealKind } from './features/deals/index.ts'
import { decisionFieldKind, decisionFields, decisionKind } from './features/decisions/index.ts'
import { type EventRecords, recordsOf } from './features/events/index.ts'
import type { FieldEntity, FieldKind } from './features/fields/index.ts'
import {
  fileFieldKind,
  fileFields,
  fileKind,
  listedTo as fileListedTo,
  purgeFilesAbout,
} from './features/files/index.ts'
import { removeFollowsOf } from './features/follows/index.ts'
import { removeLinks } from './features/links/index.ts'
import { removeVerdicts } from './features/matches/index.ts'
import { companyAttachment, companyMerging, mergedKind, personMerging } from './features/merge/index.ts'
import { listedTo, noteFieldKind, noteFields, noteKind } from './features/notes/index.ts'
import { removeNotificationsAbout } from './features/notifications/index.ts'
import { personFieldKind, personFields, personKind, removeCompanyLinks } from './features/people/index.ts'
import { isListedTask, taskFieldKind, taskFields, taskKind } from './features/tasks/index.ts'
import { thesisFields, thesisKind, thesisSummaryFields } from './features/theses/index.ts'
import type { RecordKind } from './features/trash/index.ts'
import type { Db } from './platform/database/database.ts'

/** The kinds of records that can be filtered and sorted, by the name that the list of fields gives them. */
export const FIELD_KINDS: Readonly<Record<FieldEntity, FieldKind>> = {
  company: companyFieldKind,
  deal: dealFieldKind,
  thesis: { entity: 'thesis', readFields: async () => thesisFields },
  person: personFieldKind,
  note: noteFieldKind,
  decision: decisionFieldKind,
  task: taskFieldKind,
  file: fileFieldKind,
  activity: { entity: 'activity', readFields: async () => activityFields },
}

/**
 * The kinds of records that can be deleted, restored, purged, and undone. A kind comes after those that its records refer
 * to: companies refer to theses, people to companies, deals and decisions to both, and notes, tasks, and files to all of them.
 */
const KINDS: readonly RecordKind[] = [
  { ...thesisKind, purge: removeVerdicts },
  {
    ...mergedKind(companyKind(companyAttachment), companyMerging),
    purge: async (transaction: Db, ids: string[]) => {
      await removeVerdicts(transaction, ids)
      await removeCompanyLinks(transaction, ids)
    },
  },
  mergedKind(personKind, personMerging),
  dealKind,
  noteKind,
  decisionKind,
  taskKind,
  fileKind,
]

/** All of them lose their links, their followers, and the notifications about them when they are purged, and files about them alone go too. */
export const RECORD_KINDS: readonly RecordKind[] = KINDS.map((kind) => ({
  ...kind,
  purgeAttached: async (transaction: Db, ids: string[]) => {
    const purged = await purgeFilesAbout(transaction, ids)
    await removeNotificationsAbout(
      transaction,
      purged.map(({ entity_id }) => entity_id),
    )
    return purged
  },
  purge: async (transaction: Db, ids: string[]) => {
    await kind.purge?.(transaction, ids)
    await removeLinks(transaction, ids)
    await removeFollowsOf(transaction, ids)
    await removeNotificationsAbout(transaction, ids)
  },
}))

/** The records that events are about. */
export const eventRecords = (config: Context['config']): EventRecords => ({
  company: recordsOf('companies', companyFields),
  deal: recordsOf('dealflow', dealFields),
  thesis: recordsOf('theses', thesisSummaryFields),
  person: recordsOf('people', personFields),
  note: recordsOf('notes', noteFields, listedTo),
  decision: recordsOf('decisions', decisionFields),
  task: recordsOf('tasks', taskFields, () => [isListedTask]),
  file: recordsOf('current_files', fileFields, fileListedTo),
  bulk_action: (db, _viewer, ids) => readBulkActions(db, ids, blockReasons(config)),
})

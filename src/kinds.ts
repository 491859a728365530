import { activityFields } from './features/activity/index.ts'
import { companyFieldKind, companyKind } from './features/companies/index.ts'
import { dealFieldKind, dealKind } from './features/deals/index.ts'
import { decisionFieldKind, decisionKind } from './features/decisions/index.ts'
import type { FieldEntity, FieldKind } from './features/fields/index.ts'
import { removeLinks } from './features/links/index.ts'
import { removeVerdicts } from './features/matches/index.ts'
import { companyAttachment, companyMerging, mergedKind, personMerging } from './features/merge/index.ts'
import { noteFieldKind, noteKind } from './features/notes/index.ts'
import { personFieldKind, personKind, removeCompanyLinks } from './features/people/index.ts'
import { taskFieldKind, taskKind } from './features/tasks/index.ts'
import { thesisFields, thesisKind } from './features/theses/index.ts'
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
  activity: { entity: 'activity', readFields: async () => activityFields },
}

/**
 * The kinds of records that can be deleted, restored, purged, and undone. A kind comes after those that its records refer
 * to: companies refer to theses, people to companies, deals and decisions to both, and notes and tasks to all of them.
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
]

/** All of them lose their links when they are purged. */
export const RECORD_KINDS: readonly RecordKind[] = KINDS.map((kind) => ({
  ...kind,
  purge: async (transaction: Db, ids: string[]) => {
    await kind.purge?.(transaction, ids)
    await removeLinks(transaction, ids)
  },
}))

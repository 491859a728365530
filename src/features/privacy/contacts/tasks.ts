import type { NewActivity } from '#src/features/activity/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { Contact } from './contact.ts'
import type { ContactPattern } from './contact-pattern.ts'
import { type Count, eraseFromRecords, type LinkedTexts, lockRecordsAbout } from './linked-records.ts'

export const TASK_TEXTS: LinkedTexts = { table: 'tasks', entity_type: 'task', column: 'title' }

/**
 * Replaces a contact's details in tasks, in those in the trash, and in their history, and removes the links to the contact.
 * @returns the activity of the changed tasks, and the ids of all that were searched
 */
export async function eraseFromTasks(
  transaction: Db,
  contact: Contact,
  pattern: ContactPattern,
  count: Count,
): Promise<{ activities: NewActivity[]; searched: string[] }> {
  const searched = await lockRecordsAbout(transaction, TASK_TEXTS, contact)
  const erasure = { contact, pattern, searched }
  return { activities: await eraseFromRecords(transaction, TASK_TEXTS, erasure, count), searched }
}

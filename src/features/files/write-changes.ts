import { sql } from 'kysely'
import {
  type Action,
  type Changes,
  changesOf,
  type NewActivity,
  recordAction,
} from '#src/features/activity/index.ts'
import { type LinkPatch, writeLinks } from '#src/features/links/index.ts'
import { type Readers, setReaders } from '#src/features/visibility/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import { timeAfter } from '#src/platform/database/sql.ts'
import { TEXT_TYPES } from './extraction/types.ts'
import { type FileFields, type StoredFile, touchFiles, writeFile } from './store.ts'

/** A change to a file that the transaction has locked. */
export interface FileChange {
  before: StoredFile
  fields?: FileFields
  links?: LinkPatch
}

/** Who may see a file. */
export const readersOf = ({
  visibility,
  uploaded_by,
}: Pick<StoredFile, 'visibility' | 'uploaded_by'>): Readers =>
  visibility === 'team' ? null : [uploaded_by].filter((email) => email !== null)

/**
 * Writes changes of files and records them. Files with no difference are left out. Those in the trash, whose links alone can
 * change, stay there.
 * @returns the ids of those that have changed
 */
export async function writeChanges(
  transaction: Db,
  action: Action,
  changes: readonly FileChange[],
): Promise<string[]> {
  const compared = changes
    .map(({ before, fields = {}, links = {} }) => ({
      ...{ before, fields, links, ofFields: changesOf(before, fields) },
      ofLinks: changesOf(before.links, links, Object.keys(links)),
    }))
    .filter(({ ofFields, ofLinks }) => hasAny(ofFields) || hasAny(ofLinks))
  // Undoing a merge moves the links of many files, in one statement.
  const onlyLinked = compared.filter(({ ofFields }) => !hasAny(ofFields))
  const times = await touchFiles(
    transaction,
    onlyLinked.map(({ before }) => before.id),
  )
  const activities: NewActivity[] = []
  for (const { before, fields, ofFields, ofLinks } of compared) {
    const updated_at = times.get(before.id) ?? timeAfter(before.updated_at)
    if (hasAny(ofFields)) await writeFile(transaction, before.id, { ...fields, updated_at })
    const differing = { ...ofFields, ...ofLinks }
    activities.push({
      ...fileActivity(typeOf(before, ofFields), before.id),
      timestamp: updated_at,
      metadata: { fields: Object.keys(differing) },
      changes: differing,
    })
    if (ofFields.visibility || ofFields.uploaded_by)
      await setReaders(transaction, [{ id: before.id, readers: readersOf({ ...before, ...fields }) }])
    if (ofFields.version) await readTextAgain(transaction, before.id, Number(ofFields.version.to))
  }
  await writeLinks(
    transaction,
    compared.map(({ before, links }) => ({ record_id: before.id, links })),
  )
  await recordAction(transaction, action, activities)
  return compared.map(({ before }) => before.id)
}

const hasAny = (differing: Changes): boolean => Object.keys(differing).length > 0

/** An undo goes back to an earlier version. */
function typeOf({ version }: StoredFile, { version: change }: Changes): FileActivityType {
  return change && Number(change.to) > version ? 'file_version_added' : 'file_updated'
}

/** The text of a version is kept only while it is the present one: that of others is deleted, and this one's is read again. */
async function readTextAgain(transaction: Db, file_id: string, version: number): Promise<void> {
  await sql`
    update file_versions set text_state = 'pending', text_detail = null
    where file_id = ${file_id} and version = ${version} and text_state = 'done' and type = any(${[...TEXT_TYPES]})`.execute(
    transaction,
  )
  await sql`delete from file_pages where file_id = ${file_id} and version <> ${version}`.execute(transaction)
}

type FileActivityType = `file_${'created' | 'updated' | 'version_added' | 'deleted' | 'restored'}`

/** An activity record about a file. */
export const fileActivity = (activity_type: FileActivityType, id: string): NewActivity => ({
  activity_type,
  entity_type: 'file',
  entity_id: id,
})

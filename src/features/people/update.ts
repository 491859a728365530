import { type Action, requireUnchanged } from '#src/features/activity/index.ts'
import { normalizeTags } from '#src/features/companies/index.ts'
import { changeCustomValues } from '#src/features/fields/index.ts'
import { orTrashed } from '#src/features/trash/index.ts'
import { requireOwner } from '#src/features/users/index.ts'
import type { Json } from '#src/platform/database/sql.ts'
import { orNotFound } from '#src/platform/errors.ts'
import { withoutReadOnly } from '#src/platform/schema/read-only.ts'
import { normalizeDetails, normalizePhones } from './contact-details.ts'
import type { PeopleSources } from './create.ts'
import { readPrimaryCountry } from './link-store.ts'
import { PERSON_READ_ONLY, type PersonPatch } from './schema.ts'
import { lockPeople, readPerson } from './store.ts'
import { writeChanges } from './write-changes.ts'

/**
 * Changes a person and records it. Writes nothing if no field differs.
 * @param ifMatch the If-Match header
 * @throws NotFound, PreconditionFailed if the person has changed since, InvalidInput for an owner who does not exist, and
 *   for wrong phone numbers and custom values
 */
export const updatePerson = (
  { db, customFields }: PeopleSources,
  action: Action,
  id: string,
  body: PersonPatch,
  ifMatch: string | undefined,
): Promise<{ person: Json; isChanged: boolean }> =>
  db.transaction().execute(async (transaction) => {
    const before = await orTrashed(transaction, (await lockPeople(transaction, [id]))[0], 'person', id)
    await requireUnchanged(transaction, ifMatch, 'person', before)
    const patch = withoutReadOnly(body, PERSON_READ_ONLY)
    if (patch.owner_email && patch.owner_email !== before.owner_email)
      await requireOwner(transaction, patch.owner_email)
    const { phones, tags } = patch
    const input = patch.custom && { before: before.custom, patch: patch.custom }
    const custom = input && (await changeCustomValues(transaction, customFields, 'person', input))
    const fields = {
      ...normalizeDetails(patch),
      ...(phones && { phones: normalizePhones(phones, await readPrimaryCountry(transaction, id)) }),
      ...(custom && { custom }),
      ...(tags && { tags: normalizeTags(tags) }),
    }
    const changed = await writeChanges(transaction, action, [{ before, fields }])
    const person = orNotFound(await readPerson(transaction, id), 'person', id)
    return { person, isChanged: changed.length > 0 }
  })

import { useMutation } from '@tanstack/react-query'
import { strings } from '#strings/fields.ts'
import { UserFacingError } from '#web/api/error-message.ts'
import { changeQueue, unsavedChanges } from '#web/api/live/change-queue.ts'
import { refreshAfterOwnChange } from '#web/api/live/refresh.ts'
import { queryClient } from '#web/api/query-client.ts'
import { type Company, type CompanyPatch, service } from '#web/api/service.ts'
import { changeTarget, sendExpecting } from '#web/bulk-actions/target.ts'
import { ifMatch, isConflict } from '#web/editing/if-match.ts'
import { isUntouched } from '#web/editing/record-changes.ts'
import { saveIfUnchanged } from '#web/editing/save-if-unchanged.ts'
import { LISTS, putCompanyValues } from '#web/fields/company-cache.ts'
import { rejectedChanges } from '../rejected-changes.ts'
import { selection } from '../selection.ts'
import { type Changes, type ShortcutTargets, targetOf } from '../shortcut-targets.ts'
import { withTagChanges } from '../tag-changes.ts'

interface Change {
  targets: ShortcutTargets
  changes: Changes
}

/**
 * Changes one company or many. The screen shows the change at once, and reverts it if the service rejects it. A notice
 * with Undo follows. If a different number of companies matched, the screen asks again.
 */
export function useChangeCompanies() {
  return useMutation({
    ...changeQueue,
    meta: { handlesErrors: true },
    mutationFn: save,
    onMutate: async ({ targets: { ids }, changes }: Change) => {
      // A response on its way would replace the change with the previous values.
      await Promise.all(LISTS.map((queryKey) => queryClient.cancelQueries({ queryKey })))
      return putCompanyValues(queryClient, ids, (company) => valuesOf(company, changes))
    },
    onError: (error, { targets, changes }, before) => {
      if (before) putCompanyValues(queryClient, targets.ids, ({ id }) => before.get(id) ?? {})
      selection.adopt(targetOf(targets), error)
      rejectedChanges.add(targets, changes, error)
    },
    onSuccess: (_result, { targets, changes }) => {
      const fields = Object.keys(changes).map((key) => key.replace(/^(add|remove)_/, ''))
      selection.afterChange(targetOf(targets), fields)
    },
    onSettled: () => {
      // This change still counts as unsaved. After the last one, the lists count as stale until they are refetched.
      if (queryClient.isMutating(unsavedChanges) <= 1)
        for (const queryKey of LISTS) queryClient.invalidateQueries({ queryKey, refetchType: 'none' })
      refreshAfterOwnChange({ kind: 'company', id: null })
    },
  })
}

async function save({ targets, changes }: Change): Promise<void> {
  const { company } = targets
  const target = targetOf(targets)
  // Tags that someone else adds or removes at the same time are kept.
  if (company && !changes.add_tags && !changes.remove_tags) await saveOne(company, changes)
  else
    await sendExpecting(target, () => service.updateCompanies({ body: { ...changeTarget(target), changes } }))
}

/** Saves fields of one company, unless someone else has changed the same fields. */
async function saveOne(
  seen: NonNullable<ShortcutTargets['company']>,
  changes: CompanyPatch & Changes,
): Promise<void> {
  const { id, name } = seen
  try {
    const { updated_at } = await saveIfUnchanged<NonNullable<ShortcutTargets['company']>>({
      record: seen,
      send: async (updatedAt) =>
        (await service.updateCompany({ params: { id }, body: changes, ...ifMatch(updatedAt) })).data,
      reload: async () => (await service.getCompany({ params: { id } })).data.company,
      isUnchanged: (newest) => isUntouched(seen, changes, newest),
    })
    putCompanyValues(queryClient, [id], () => ({ updated_at }))
  } catch (error) {
    throw isConflict(error) ? new UserFacingError(strings.conflict(name)) : error
  }
}

const valuesOf = ({ tags }: Company, { add_tags, remove_tags, ...values }: Changes): Partial<Company> =>
  ({
    ...values,
    ...((add_tags || remove_tags) && { tags: withTagChanges(tags, { add_tags, remove_tags }) }),
  }) as Partial<Company>

import { MutationObserver } from '@tanstack/react-query'
import type { CompletedAction } from '#src/client/client.ts'
import { strings as actions } from '#strings/actions.ts'
import { strings } from '#strings/files.ts'
import { hideNotice, showNotice } from '#web/activity/notice.tsx'
import { latestChanges } from '#web/api/live/latest-changes.ts'
import { queryClient } from '#web/api/query-client.ts'
import { serviceReportingTo } from '#web/api/service.ts'

/** Runs an undo outside of a component. Its errors are shown as everywhere. */
const undoing = new MutationObserver(queryClient, {
  mutationFn: (undoThis: () => Promise<void>) => undoThis(),
  onError: hideNotice,
  onSettled: () => {
    queryClient.invalidateQueries()
  },
})

/**
 * Shows one notice for files that were added together, with one Undo for all of them.
 * @param failed the names of those that were not added
 */
export function announceUploads(done: readonly CompletedAction[], failed: readonly string[]): void {
  const [only] = done
  if (only && done.length === 1 && failed.length === 0) latestChanges.add(only)
  else if (only)
    offerUndo(
      strings.addedTogether(done.length, failed),
      done.map(({ id }) => id),
    )
}

/** Undoes several actions, the newest first. Undoing that undo does them again. */
function offerUndo(text: string, ids: readonly string[], isUndo = false): void {
  // After an error, another attempt goes on with what is left.
  const left = [...ids]
  const undone: string[] = []
  let reverted = 0
  let skipped = 0
  const api = serviceReportingTo(({ id }) => undone.push(id))
  const undoThis = latestChanges.addWithoutAction(async () => {
    for (let id = left.at(-1); id; id = left.at(-1)) {
      const { data } = await api.undoAction({ params: { id }, body: {} })
      reverted += data.reverted
      skipped += data.skipped.length + data.skipped_omitted
      latestChanges.remove(id)
      left.pop()
    }
    const text = skipped > 0 ? actions.undonePartly(reverted, skipped) : actions.undone(reverted)
    offerUndo(text, undone, !isUndo)
  })
  const undo = () => {
    // The mutation cache shows the error.
    undoing.mutate(undoThis).catch(() => {})
  }
  showNotice({ text, undo, isUndo })
}

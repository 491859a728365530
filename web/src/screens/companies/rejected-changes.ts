import { notifications } from '@mantine/notifications'
import { strings } from '#strings/general.ts'
import { errorMessage } from '#web/api/error-message.ts'
import { CountChanged } from '#web/bulk-actions/target.ts'
import type { Changes, ShortcutTargets } from './shortcut-targets.ts'

/** A change that the service rejected because a different number of companies matched. */
export interface RejectedChange {
  id: number
  targets: ShortcutTargets
  changes: Changes
  error: CountChanged
}

/** Kept outside React, because a rejection may arrive after another change or on another screen. */
let waiting: readonly RejectedChange[] = []
let count = 0
const listeners = new Set<() => void>()

function update(next: readonly RejectedChange[]): void {
  waiting = next
  for (const listener of listeners) listener()
}

/** The rejected changes that the screen asks about again, oldest first. */
export const rejectedChanges = {
  first: (): RejectedChange | null => waiting[0] ?? null,
  /** Shows an error, or asks again if the screen can do that. */
  add: (targets: ShortcutTargets, changes: Changes, error: unknown): void => {
    if (error instanceof CountChanged && listeners.size > 0)
      update([...waiting, { id: ++count, targets, changes, error }])
    else notifyRejected(error)
  },
  remove: (rejected: RejectedChange): void => update(waiting.filter((one) => one !== rejected)),
  /** For a screen that asks again. Changes that it leaves unanswered are announced. */
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      if (listeners.size > 0) return
      for (const { error } of waiting) notifyRejected(error)
      waiting = []
    }
  },
}

const notifyRejected = (error: unknown): void => {
  notifications.show({
    color: 'red',
    title: strings.actionFailed,
    message: errorMessage(error),
    autoClose: 10_000,
  })
}

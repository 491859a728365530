import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import type { EventKind } from '#src/client/client.ts'
import { refreshAfterOwnChange } from '#web/api/live/refresh.ts'
import { EditConflict } from './edit-conflict.ts'
import { previousValues, withChanges } from './record-changes.ts'
import { saveIfUnchanged } from './save-if-unchanged.ts'

export interface EditedRecord {
  id: string
  updated_at: string
  custom: object
}

/** A change of one field. */
export interface RecordChange<R, C> {
  changes: C
  /** Reads what is being changed, as comparable text. */
  read: (record: R) => string
  /** The text when editing began. */
  seen: string
}

/** A record that this tab has loaded, and how to save it. */
interface SavedRecord<R extends EditedRecord, C> {
  kind: EventKind
  id: string
  /** Its query. */
  queryKey: QueryKey
  /** The record as it is shown. */
  read: () => R
  put: (changes: Partial<R>) => void
  /** Sends a change on the condition that the record is no newer than `updatedAt`. */
  send: (changes: C, updatedAt: string) => Promise<Partial<R> & { updated_at: string }>
  /** Reads and shows the newest version. */
  reload: () => Promise<R>
  /** Puts a saved record into everything that this tab has loaded. */
  putSaved: (record: Partial<R>) => void
}

/**
 * Saves changes of one record in order, shows them at once, and rolls back what cannot be saved.
 * @throws EditConflict when someone else changed the same field; changes to other fields do not conflict
 */
export function useSaveRecord<R extends EditedRecord, C extends { custom?: object | undefined }>(
  record: SavedRecord<R, C>,
): (change: RecordChange<R, C>) => Promise<unknown> {
  const queryClient = useQueryClient()
  const { kind, id, queryKey } = record
  const mutationKey = [`save-${kind}`, id]
  const { mutateAsync } = useMutation({
    mutationKey,
    scope: { id: mutationKey.join(' ') },
    meta: { handlesErrors: true },
    onMutate: async (change: RecordChange<R, C>) => {
      await queryClient.cancelQueries({ queryKey, exact: true })
      const before = record.read()
      const now = change.read(before)
      if (now !== change.seen) throw new EditConflict(now)
      record.put(withChanges(before, change.changes))
      return previousValues(before, change.changes)
    },
    mutationFn: (change: RecordChange<R, C>) => send(record, change),
    onSuccess: (saved) => {
      if (isLast()) record.putSaved(saved)
      else record.put({ updated_at: saved.updated_at } as Partial<R>)
      refreshAfterOwnChange({ kind, id })
    },
    onError: (error, _change, before) => {
      if (before && !(error instanceof EditConflict)) record.put(withChanges(record.read(), before))
      refetch()
    },
  })
  const isLast = () => queryClient.isMutating({ mutationKey }) <= 1
  /** Refetches the record, unless more changes are waiting to be saved. */
  const refetch = () => {
    if (isLast()) queryClient.invalidateQueries({ queryKey, exact: true })
  }
  return mutateAsync
}

/** Sends the changes on the condition that the record has not changed since it was read. */
async function send<R extends EditedRecord, C extends object>(
  record: SavedRecord<R, C>,
  { changes, read, seen }: RecordChange<R, C>,
) {
  const mine = read(withChanges(record.read(), changes))
  const show = () => {
    const now = read(record.read())
    if (now !== seen && now !== mine) throw new EditConflict(now)
    record.put(withChanges(record.read(), changes))
  }
  // The previous save may have reloaded the record.
  show()
  return saveIfUnchanged({
    record: record.read(),
    send: (updatedAt) => record.send(changes, updatedAt),
    reload: record.reload,
    isUnchanged: () => {
      show()
      return true
    },
  })
}

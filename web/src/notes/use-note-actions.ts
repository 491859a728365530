import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { strings } from '#strings/notes.ts'
import { type Note, service } from '#web/api/service.ts'
import { useMayChangeOwn } from '#web/api/use-may-change-own.ts'

const AFFECTED = ['notes', 'timeline', 'activity', 'history', 'trash']

/** Pinning, deleting, and linking to a note. */
export function useNoteActions(note: Note) {
  const queryClient = useQueryClient()
  const mayChange = useMayChangeOwn(note.author_email)
  const refresh = () => {
    for (const resource of AFFECTED) queryClient.invalidateQueries({ queryKey: [resource] })
  }
  const params = { id: note.id }
  const pin = useMutation({
    mutationFn: () => service.updateNote({ params, body: { pinned: !note.pinned } }),
    onSuccess: refresh,
  })
  const remove = useMutation({ mutationFn: () => service.deleteNote({ params }), onSuccess: refresh })
  const copyLink = () =>
    navigator.clipboard?.writeText(`${location.origin}/notes/${note.id}`).then(
      () => notifications.show({ message: strings.linkCopied }),
      () => notifications.show({ message: strings.linkNotCopied }),
    ) ?? notifications.show({ message: strings.linkNotCopied })
  return {
    mayChange,
    pin: pin.mutate,
    remove: remove.mutate,
    copyLink,
  }
}

import { notifications } from '@mantine/notifications'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { strings } from '#strings/notes.ts'
import { queries } from '#web/api/queries.ts'
import { type Note, service } from '#web/api/service.ts'
import { useCan } from '#web/api/use-can.ts'

const AFFECTED = ['notes', 'timeline', 'activity', 'history', 'trash']

/** Pinning, deleting, and linking to a note. */
export function useNoteActions(note: Note) {
  const queryClient = useQueryClient()
  const { data: me } = useQuery(queries.me())
  const mayWrite = useCan('write_own')
  const mayChangeOthers = useCan('delete')
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
    mayChange: mayChangeOthers || (mayWrite && note.author_email === me?.email),
    pin: pin.mutate,
    remove: remove.mutate,
    copyLink,
  }
}

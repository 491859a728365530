import { useMutation, useQueryClient } from '@tanstack/react-query'
import { noteQueries } from '#web/api/note-queries.ts'
import { type Note, service } from '#web/api/service.ts'
import { ifMatch, isConflict } from '#web/editing/if-match.ts'
import { isUntouched } from '#web/editing/record-changes.ts'
import { saveIfUnchanged } from '#web/editing/save-if-unchanged.ts'
import { useIsMounted } from '#web/ui/use-is-mounted.ts'
import { type NoteText, requestBody, requestChanges } from './note-text.ts'

/** Someone else saved the note first. */
class NoteConflict extends Error {
  readonly remote: Note
  /** The email address of whoever saved it, if that is known. */
  readonly editor: string | null

  constructor(remote: Note, editor: string | null) {
    super('Someone else saved the note first.')
    this.name = 'NoteConflict'
    this.remote = remote
    this.editor = editor
  }
}

/** A text to save, as a new note, a reply, or a change of a note. */
export interface NoteToSave {
  text: NoteText
  /** Of a new note. */
  key: string
  parentId?: string | undefined
  /** The note that changes, and its text when editing began. */
  changed?: { note: Note; from: NoteText; updatedAt: string } | undefined
}

/** Saves a note. `remote` is the version that someone else saved, and `editor` who did, if that is why it failed. */
export function useSaveNote(onSaved: (note: Note, sent: NoteToSave) => void) {
  const queryClient = useQueryClient()
  const save = useMutation({
    meta: { handlesErrors: useIsMounted() },
    mutationFn: async (sent: NoteToSave): Promise<Note> => {
      const { text, key, parentId, changed } = sent
      if (!changed) {
        const headers = { 'idempotency-key': key }
        return (await service.createNote({ body: requestBody(text, parentId), ...{ headers } })).data
      }
      const { note, from, updatedAt } = changed
      const body = requestChanges(text, from, note.parent_id !== null)
      const seen = requestBody(from)
      const reload = () => queryClient.fetchQuery({ ...noteQueries.note(note.id), staleTime: 0 })
      try {
        return await saveIfUnchanged<Note>({
          record: { updated_at: updatedAt },
          send: async (updated) =>
            (await service.updateNote({ params: { id: note.id }, body, ...ifMatch(updated) })).data,
          reload,
          isUnchanged: (newest) => isUntouched(seen, body, comparable(newest)),
        })
      } catch (error) {
        if (!isConflict(error)) throw error
        const [remote, editor] = await Promise.all([reload(), lastEditor(note.id)])
        throw new NoteConflict(remote, editor)
      }
    },
    onSuccess: (note, sent) => {
      queryClient.setQueryData(noteQueries.note(note.id).queryKey, note)
      for (const resource of ['notes', 'timeline', 'activity', 'history'])
        queryClient.invalidateQueries({ queryKey: [resource] })
      onSaved(note, sent)
    },
  })
  const conflict = save.error instanceof NoteConflict ? save.error : null
  return { save, remote: conflict?.remote ?? null, editor: conflict?.editor ?? null }
}

/** Who last changed a note; null if that cannot be found out, which must not hide the conflict. */
const lastEditor = (id: string): Promise<string | null> =>
  service
    .getNoteHistory({ params: { id }, querystring: { limit: 1 } })
    .then(({ data: [latest] }) => latest?.user_email ?? null)
    .catch(() => null)

/** A note in the form of a request. */
const comparable = ({ about, participants, ...note }: Note) => ({
  ...note,
  about: about.map(({ type, id }) => ({ type, id })),
  participants: participants.map(({ id }) => id),
})

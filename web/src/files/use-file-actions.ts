import { useMutation, useQuery } from '@tanstack/react-query'
import { fileQueries } from '#web/api/file-queries.ts'
import { queries } from '#web/api/queries.ts'
import { queryClient } from '#web/api/query-client.ts'
import { type FileRecord, service } from '#web/api/service.ts'
import { useCan } from '#web/api/use-can.ts'
import { useMayChangeOwn } from '#web/api/use-may-change-own.ts'
import { ifMatch } from '#web/editing/if-match.ts'
import { isUntouched } from '#web/editing/record-changes.ts'
import { saveIfUnchanged } from '#web/editing/save-if-unchanged.ts'
import { pickFiles } from './drop/dragged-files.ts'
import { refreshFiles } from './refresh-files.ts'
import { startUploads } from './uploads/uploads.ts'

export type FileChanges = Parameters<typeof service.updateFile>[0]['body']

/**
 * Changes a file, unless someone else has changed the same fields since it was read.
 * @throws as the client does; after a conflict, the file is read again
 */
export async function saveFileChanges(file: FileRecord, body: FileChanges): Promise<void> {
  const { id } = file
  try {
    await saveIfUnchanged<FileRecord>({
      record: file,
      send: async (updatedAt) =>
        (await service.updateFile({ params: { id }, body, ...ifMatch(updatedAt) })).data,
      reload: () => queryClient.fetchQuery({ ...fileQueries.file(id), staleTime: 0 }),
      isUnchanged: (newest) => isUntouched(textOf(file), body, textOf(newest)),
    })
  } finally {
    refreshFiles()
  }
}

/** The fields that can be changed, as they are sent. */
const textOf = ({ name, visibility, about }: FileRecord): Required<FileChanges> => ({
  ...{ name, visibility },
  about: about.map(({ type, id }) => ({ type, id })),
})

/** What the user may do with a file. Deleting and changing show a notice with Undo. */
export function useFileActions(file: FileRecord) {
  const { data: me } = useQuery(queries.me())
  const mayChange = useMayChangeOwn(file.uploaded_by)
  const mayDeleteOthers = useCan('delete')
  // A file with a version in quarantine belongs to no one.
  const mayDelete = file.has_infected_version ? mayDeleteOthers : mayChange
  // A file that others make private would be out of their own sight.
  const mayShare = mayChange && me !== undefined && file.uploaded_by === me.email
  const isPrivate = file.visibility === 'private'
  const share = useMutation({
    mutationFn: () => saveFileChanges(file, { visibility: isPrivate ? 'team' : 'private' }),
  })
  const remove = useMutation({
    mutationFn: () => service.deleteFile({ params: { id: file.id } }),
    onSettled: refreshFiles,
  })
  const addVersion = () =>
    pickFiles((files) => startUploads(files, { version: { id: file.id, name: file.name } }), {
      isMultiple: false,
    })
  const changes = { share: share.mutate, remove: remove.mutate, addVersion }
  return { mayChange, mayDelete, mayShare, isPrivate, ...changes }
}

import { useMutation, useQuery } from '@tanstack/react-query'
import { strings } from '#strings/files.ts'
import { queries } from '#web/api/queries.ts'
import { type FileRecord, service } from '#web/api/service.ts'
import { useCan } from '#web/api/use-can.ts'
import { refreshFiles } from '#web/files/refresh-files.ts'
import { useActions } from '#web/keyboard/actions.ts'
import { listPosition } from '#web/lists/list-position.ts'

/** Offers the key that moves the file in focus to the trash: one’s own, or with the permission to delete. */
export function useDeleteKey(rows: readonly FileRecord[], list: string, advance: () => void): void {
  const { data: me } = useQuery(queries.me())
  const mayWrite = useCan('write_own')
  const mayDelete = useCan('delete')
  const { mutate: remove } = useMutation({
    mutationFn: (id: string) => service.deleteFile({ params: { id } }),
    onSettled: refreshFiles,
  })
  const run = () => {
    const file = rows.find(({ id }) => id === listPosition.current(list))
    // A file with a version in quarantine belongs to no one.
    const isOwn = !file?.has_infected_version && file?.uploaded_by === me?.email
    if (!file || !(mayDelete || isOwn)) return
    advance()
    remove(file.id)
  }
  useActions([
    mayWrite && {
      ...{ id: 'delete-file', label: strings.deleteKey, group: strings.group, keys: ['Delete'], run },
      isHidden: true,
    },
  ])
}

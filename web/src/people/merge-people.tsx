import { queryOptions } from '@tanstack/react-query'
import { strings } from '#strings/duplicates.ts'
import { service } from '#web/api/service.ts'
import { MergeDialog } from '#web/merge/merge-dialog.tsx'

interface MergePeopleProps {
  people: readonly { id: string; name: string }[]
  merged?: (survivor: string) => void
  close: () => void
}

/** A preview of merging people into one. */
const mergePreview = (id: string, from: string[]) =>
  queryOptions({
    queryKey: ['duplicates', 'merge', id, from],
    queryFn: async ({ signal }) =>
      (await service.mergePeople({ params: { id }, body: { from, dry_run: true } }, { signal })).data,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })

/** Merges people. */
export default function MergePeople({ people, merged, close }: MergePeopleProps) {
  return (
    <MergeDialog
      entity="person"
      records={people}
      previewOf={mergePreview}
      movesOf={({ moved }) => strings.moves(moved)}
      merge={(id, from, choose) => service.mergePeople({ params: { id }, body: { from, choose } })}
      {...(merged && { merged })}
      close={close}
    />
  )
}

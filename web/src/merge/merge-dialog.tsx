import { Alert, Button, Group, Radio, Stack, Text } from '@mantine/core'
import {
  keepPreviousData,
  type UndefinedInitialDataOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { strings } from '#strings/duplicates.ts'
import { strings as general } from '#strings/general.ts'
import { errorMessage } from '#web/api/error-message.ts'
import { formatList } from '#web/format/format.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import { useIsMounted } from '#web/ui/use-is-mounted.ts'
import { type Conflict, MergeConflicts } from './merge-conflicts.tsx'

interface MergeDialogProps<Preview> {
  entity: 'company' | 'person'
  /** The first one survives unless the user chooses another. */
  records: readonly { id: string; name: string }[]
  /** Queries what a merge would do. */
  previewOf: (
    survivor: string,
    from: string[],
  ) => UndefinedInitialDataOptions<Preview, Error, Preview, (string | string[])[]>
  /** What moves to the survivor besides the values of fields, in words. */
  movesOf: (preview: Preview) => string[]
  /** Fields whose value comes with that of another one. */
  leavesOut?: (field: string, fields: ReadonlySet<string>) => boolean
  merge: (survivor: string, from: string[], choose: Record<string, string>) => Promise<unknown>
  merged?: (survivor: string) => void
  close: () => void
}

/** Merges records side by side: one survives, and each field that differs takes the chosen value. */
export function MergeDialog<Preview extends { conflicts: Conflict[] }>(props: MergeDialogProps<Preview>) {
  const { entity, records, previewOf, movesOf, merged, close } = props
  const [survivor, setSurvivor] = useState(records[0]?.id ?? '')
  /** The choices of the user. The service chooses the others. */
  const [choices, setChoices] = useState<Record<string, string>>({})
  const queryClient = useQueryClient()
  const from = records.map(({ id }) => id).filter((id) => id !== survivor)
  const preview = useQuery({ ...previewOf(survivor, from), placeholderData: keepPreviousData as never })
  const isShown = useIsMounted()
  const merge = useMutation({
    meta: { handlesErrors: isShown },
    mutationFn: () => props.merge(survivor, from, choices),
    onSuccess: () => {
      if (isShown()) {
        close()
        merged?.(survivor)
      }
      queryClient.invalidateQueries()
    },
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (preview.data && !preview.isPlaceholderData && !merge.isPending) merge.mutate()
  }
  const keep = (id: string) => {
    setSurvivor(id)
    setChoices({})
  }
  const count = records.length
  return (
    <Dialog onClose={close} title={strings.mergeTitle[entity](count)} size="60rem">
      <form onSubmit={submit}>
        <Stack>
          <Radio.Group
            label={strings.keep}
            description={strings.keepHelp}
            value={survivor}
            onChange={keep}
            name="survivor"
          >
            <Group mt="xs" gap="lg">
              {records.map(({ id, name }, index) => (
                <Radio key={id} value={id} label={name} data-autofocus={index === 0 || undefined} />
              ))}
            </Group>
          </Radio.Group>
          {preview.isPending && <SkeletonLines lines={6} height={26} />}
          {preview.isError && <ErrorState error={preview.error} retry={() => preview.refetch()} />}
          {preview.data && (
            <>
              <MergeConflicts
                of={entity}
                records={records}
                conflicts={preview.data.conflicts}
                {...(props.leavesOut && { leavesOut: props.leavesOut })}
                choices={choices}
                choose={(field, id) => setChoices({ ...choices, [field]: id })}
              />
              <Text size="sm" c="dimmed">
                {strings.movesTo(formatList(movesOf(preview.data)))}
              </Text>
            </>
          )}
          {merge.isError && (
            <Alert color="red" role="alert" title={general.actionFailed}>
              {errorMessage(merge.error)}
            </Alert>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {general.cancel}
            </Button>
            <Button
              type="submit"
              loading={merge.isPending}
              disabled={!preview.data || preview.isPlaceholderData}
            >
              {strings.mergeTitle[entity](count)}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

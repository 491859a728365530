import { Alert, Button, Group, Radio, Stack, Text } from '@mantine/core'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { strings } from '#strings/duplicates.ts'
import { strings as general } from '#strings/general.ts'
import { errorMessage } from '#web/api/error-message.ts'
import { queries } from '#web/api/queries.ts'
import { service } from '#web/api/service.ts'
import { formatList } from '#web/format/format.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import { useIsMounted } from '#web/ui/use-is-mounted.ts'
import { MergeConflicts } from './merge-conflicts.tsx'

interface MergeDialogProps {
  companies: { id: string; name: string }[]
  close: () => void
}

/** Merges companies side by side: one survives, and each field that differs takes the chosen value. */
export function MergeDialog({ companies, close }: MergeDialogProps) {
  const [survivor, setSurvivor] = useState(companies[0]?.id ?? '')
  /** The choices of the user. The service chooses the others. */
  const [choices, setChoices] = useState<Record<string, string>>({})
  const queryClient = useQueryClient()
  const from = companies.map(({ id }) => id).filter((id) => id !== survivor)
  const preview = useQuery({ ...queries.mergePreview(survivor, from), placeholderData: keepPreviousData })
  const isShown = useIsMounted()
  const merge = useMutation({
    meta: { handlesErrors: isShown },
    mutationFn: () => service.mergeCompanies({ params: { id: survivor }, body: { from, choose: choices } }),
    onSuccess: () => {
      if (isShown()) close()
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
  return (
    <Dialog onClose={close} title={strings.mergeTitle(companies.length)} size="60rem">
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
              {companies.map(({ id, name }, index) => (
                <Radio key={id} value={id} label={name} data-autofocus={index === 0 || undefined} />
              ))}
            </Group>
          </Radio.Group>
          {preview.isPending && <SkeletonLines lines={6} height={26} />}
          {preview.isError && <ErrorState error={preview.error} retry={() => preview.refetch()} />}
          {preview.data && (
            <>
              <MergeConflicts
                companies={companies}
                conflicts={preview.data.conflicts}
                choices={choices}
                choose={(field, id) => setChoices({ ...choices, [field]: id })}
              />
              <Text size="sm" c="dimmed">
                {strings.movesTo(formatList(movesOf(preview.data.moved)))}
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
              {strings.mergeAll(companies.length)}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

interface Moved {
  deals: number
  activity: number
  /** null: unknown. */
  files: number | null
  bulk_actions: number
}

const movesOf = ({ deals, activity, files, bulk_actions }: Moved): string[] =>
  strings.moves(deals, activity, files, bulk_actions)

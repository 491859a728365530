import { Alert, Button, Group, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { COMPANY_STATUSES } from '#src/client/limits.ts'
import { strings } from '#strings/companies.ts'
import { strings as general } from '#strings/general.ts'
import { errorMessage } from '#web/api/error-message.ts'
import { queries } from '#web/api/queries.ts'
import { service } from '#web/api/service.ts'
import { changeTarget, countOf, expecting, sendExpecting, type Target } from '#web/bulk-actions/target.ts'
import { formatWord } from '#web/format/format.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { newWord } from '#web/ui/select/new-options.ts'
import { SearchableSelect } from '#web/ui/select/searchable-select.tsx'
import { useIsMounted } from '#web/ui/use-is-mounted.ts'
import { selection } from '../../selection.ts'

const NO_THESIS = 'none'

interface ChangeDialogProps {
  field: 'thesis_id' | 'status'
  companies: Target
  close: () => void
}

/** Changes one field of many companies at once. */
export function ChangeDialog({ field, companies, close }: ChangeDialogProps) {
  const [target, setTarget] = useState(companies)
  const count = countOf(target)
  const [value, setValue] = useState<string | null>(null)
  const known = useOptions(field)
  const isPending = known === undefined
  const options = [
    ...(known ?? []),
    ...(value && known && !known.some((option) => option.value === value)
      ? [{ value, label: formatWord(value) }]
      : []),
  ]
  const queryClient = useQueryClient()
  const isShown = useIsMounted()
  const change = useMutation({
    meta: { handlesErrors: isShown },
    mutationFn: (chosen: string) => {
      const changes =
        field === 'status' ? { status: chosen } : { thesis_id: chosen === NO_THESIS ? null : chosen }
      return sendExpecting(target, () =>
        service.updateCompanies({ body: { ...changeTarget(target), changes } }),
      )
    },
    onError: (error) => {
      setTarget(expecting(target, error))
      selection.adopt(target, error)
    },
    onSuccess: ({ data }) => {
      if (data.action_id === null) notifications.show({ message: strings.alreadyUpToDate(data.unchanged) })
      selection.afterChange(target, [field])
      if (isShown()) close()
      for (const resource of ['companies', 'activity', 'stats'])
        queryClient.invalidateQueries({ queryKey: [resource] })
    },
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (value) change.mutate(value)
  }
  return (
    <Dialog
      onClose={close}
      title={field === 'status' ? strings.statusTitle(count) : strings.assignTitle(count)}
    >
      <form onSubmit={submit}>
        <Stack>
          {change.isError && <Alert color="red">{errorMessage(change.error)}</Alert>}
          <SearchableSelect
            data-autofocus
            label={field === 'status' ? strings.status : strings.thesis}
            placeholder={strings.choose}
            options={options}
            isPending={isPending}
            value={value}
            onChange={setValue}
            {...(field === 'status' && { create: newWord })}
            required
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {general.cancel}
            </Button>
            <Button type="submit" loading={change.isPending} disabled={value === null || count === 0}>
              {strings.update(count)}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

/** The options; undefined while they are loading. */
function useOptions(field: ChangeDialogProps['field']): { value: string; label: string }[] | undefined {
  const theses = useQuery({ ...queries.theses(), enabled: field === 'thesis_id' })
  const facets = useQuery({ ...queries.companyFacets({}), enabled: field === 'status' })
  if (theses.isLoading || facets.isLoading) return undefined
  if (field === 'status') {
    const used = facets.data?.status.map(({ value }) => value) ?? []
    return [...new Set([...COMPANY_STATUSES, ...used])].map((value) => ({ value, label: formatWord(value) }))
  }
  const known = theses.data?.data.map(({ id, code, title }) => ({ value: id, label: `${code} · ${title}` }))
  return [{ value: NO_THESIS, label: strings.noThesis }, ...(known ?? [])]
}

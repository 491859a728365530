import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { CustomField } from '#src/client/client.ts'
import { ApiError } from '#src/client/errors.ts'
import { strings } from '#strings/custom-fields.ts'
import { service } from '#web/api/service.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { ErrorState } from '#web/ui/states.tsx'

/** Asks before an archived field is deleted, and says how many values go with it. */
export function DeleteFieldDialog({ field, close }: { field: CustomField; close: () => void }) {
  const queryClient = useQueryClient()
  const { id, label, entity } = field
  const counted = useQuery({
    queryKey: ['fields', 'values', id],
    queryFn: () => countValues(field),
    staleTime: 0,
    gcTime: 0,
  })
  const count = counted.data
  const act = async () => {
    try {
      await service.deleteField({ params: { id }, ...(count ? { querystring: { confirm: true } } : {}) })
    } catch (error) {
      // The first values may have been added since they were counted.
      if (error instanceof ApiError && error.status === 409) counted.refetch()
      throw error
    }
    for (const resource of ['fields', 'companies', 'deals'])
      queryClient.invalidateQueries({ queryKey: [resource] })
    notifications.show({ message: strings.deletedNow(label), color: 'teal' })
  }
  return (
    <ConfirmDialog
      title={strings.deleteTitle(label)}
      confirm={count ? strings.deleteWithValues(count) : strings.deleteButton}
      isDangerous
      isDisabled={count === undefined}
      act={act}
      close={close}
    >
      {counted.isPending && strings.deleteCounting}
      {counted.isError && <ErrorState error={counted.error} retry={() => counted.refetch()} />}
      {count !== undefined && (
        <>
          {count > 0 ? strings.deleteValues(count, entity) : strings.deleteEmpty(entity)} {strings.deleteHelp}
        </>
      )}
    </ConfirmDialog>
  )
}

/** The number of records that have a value. */
async function countValues({ key, entity }: CustomField): Promise<number> {
  const filter = { field: `custom.${key}`, op: 'is_not_empty' } as const
  const querystring = { filter: JSON.stringify(filter), limit: 0 }
  const lists = {
    company: () => service.listCompanies({ querystring }),
    deal: () => service.listDeals({ querystring }),
    person: () => service.listPeople({ querystring }),
  }
  return (await lists[entity]()).pagination.total
}

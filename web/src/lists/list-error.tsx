import { Alert, Button, Stack } from '@mantine/core'
import { InvalidRequest } from '#src/client/errors.ts'
import { strings as general } from '#strings/general.ts'
import { strings } from '#strings/lists.ts'
import { errorMessage } from '#web/api/error-message.ts'
import { ErrorState } from '#web/ui/states.tsx'
import type { ListSearch } from './list-search.ts'

interface ListErrorProps {
  error: unknown
  retry: () => void
  search: ListSearch
  change: (change: { sort?: undefined; filter?: undefined }) => void
  /** Replaces the message of the service. */
  reason?: string | undefined
}

/** Says why the list cannot be shown. A filter or sort that the service rejects can be removed. */
export function ListError({ error, retry, search, change, reason }: ListErrorProps) {
  if (!(error instanceof InvalidRequest) || !(search.filter || search.sort))
    return <ErrorState error={error} retry={retry} />
  const isSort = search.sort !== undefined && (!search.filter || error.details.startsWith('sort'))
  return (
    <Alert color="red" variant="light" title={strings.refused} role="alert">
      <Stack gap="xs" align="flex-start">
        {reason ?? errorMessage(error)}
        <Button
          size="xs"
          variant="default"
          onClick={() => change(isSort ? { sort: undefined } : { filter: undefined })}
        >
          {isSort ? general.resetSort : strings.clearFilters}
        </Button>
      </Stack>
    </Alert>
  )
}

import { Skeleton } from '@mantine/core'
import { IconFileOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { NotFound } from '#src/client/errors.ts'
import { strings } from '#strings/files.ts'
import { isInTrash, TrashedRecord } from '#web/activity/trashed-record.tsx'
import { fileQueries } from '#web/api/file-queries.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, ErrorState } from '#web/ui/states.tsx'
import { FilePage } from './components/file-page.tsx'

const route = getRouteApi('/shell/files/$id')

/** One file. */
export function FileScreen() {
  const { id } = route.useParams()
  const file = useQuery(fileQueries.file(id))
  const { version } = route.useSearch()
  const isEarlier = version !== undefined && file.data !== undefined && version !== file.data.version
  const versions = useQuery({ ...fileQueries.versions(id), enabled: isEarlier })
  const earlier = isEarlier ? versions.data?.find((one) => one.version === version) : undefined
  const isMissing = file.error instanceof NotFound
  if (file.data && !isMissing && !(isEarlier && versions.isPending))
    return <FilePage key={`${id} ${earlier?.version}`} file={file.data} {...(earlier && { earlier })} />
  return (
    <Page title={isMissing ? strings.notFoundTitle : strings.title} heading={strings.title}>
      {isInTrash(file.error) ? (
        <TrashedRecord id={id} />
      ) : isMissing ? (
        <EmptyState
          icon={<IconFileOff aria-hidden />}
          title={strings.notFoundTitle}
          action={<ScreenLink to="/files">{strings.toFiles}</ScreenLink>}
        >
          {strings.notFound}
        </EmptyState>
      ) : file.isError ? (
        <ErrorState error={file.error} retry={() => file.refetch()} />
      ) : (
        <Skeleton height={480} radius="md" />
      )}
    </Page>
  )
}

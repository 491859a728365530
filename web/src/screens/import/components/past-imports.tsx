import { Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { strings } from '#strings/past-imports.ts'
import { pastImports } from '#web/api/import-queries.ts'
import { onePage, pageCount } from '#web/api/paging.ts'
import { Pages } from '#web/ui/pages.tsx'
import { ErrorState } from '#web/ui/states.tsx'
import { PAGE_SIZE, RUNNING_INTERVAL_MS } from '../hooks/use-running-import.ts'
import { PastImport } from './past-import.tsx'
import classes from './past-imports.module.css'

/** All imports, newest first, with the progress of those that are running. */
export function PastImports() {
  const [page, setPage] = useState(1)
  const imports = useQuery({
    ...pastImports(onePage(page, PAGE_SIZE)),
    refetchInterval: ({ state }) =>
      state.data?.data.some((imported) => imported.state === 'running') ? RUNNING_INTERVAL_MS : false,
  })
  if (imports.isError) return <ErrorState error={imports.error} retry={imports.refetch} />
  if (!imports.data || imports.data.pagination.total === 0) return null
  return (
    <Stack gap="xs" component="section" aria-labelledby="past-imports">
      <Title order={2} size="h4" id="past-imports">
        {strings.title}
      </Title>
      <ul className={classes.list}>
        {imports.data.data.map((imported) => (
          <PastImport key={imported.id} imported={imported} />
        ))}
      </ul>
      <Pages query={imports} pages={pageCount(imports.data, PAGE_SIZE)} page={page} goTo={setPage} />
    </Stack>
  )
}

import { Alert, Box, Button, Group, Stack } from '@mantine/core'
import { IconBuildingFactory2, IconSearchOff, IconSparkles } from '@tabler/icons-react'
import { InvalidRequest } from '#src/client/errors.ts'
import { strings } from '#strings/companies.ts'
import { strings as general } from '#strings/general.ts'
import { errorMessage } from '#web/api/error-message.ts'
import { useCan } from '#web/api/use-can.ts'
import tableClasses from '#web/columns/table.module.css'
import { ScreenButton } from '#web/ui/link.tsx'
import { EmptyState, ErrorState } from '#web/ui/states.tsx'
import { type CompaniesSearch, hasFilters, isSemanticSearch, NO_FILTERS } from '../companies-search.ts'
import type { ChangeSearch } from '../hooks/use-company-list.ts'
import { isListMissing } from '../kept-ids.ts'
import classes from './list-states.module.css'

interface NoCompaniesProps {
  search: CompaniesSearch
  change: ChangeSearch
  create: () => void
  /** Whether a model answers searches. */
  hasModel: boolean
}

/** Explains why the list is empty, and offers a next step. */
export function NoCompanies({ search, change, create, hasModel }: NoCompaniesProps) {
  const isFiltered = hasFilters(search)
  const mayImport = useCan('import')
  const mayWrite = useCan('write')
  if (!search.q && !isFiltered)
    return (
      <EmptyState
        icon={<IconBuildingFactory2 aria-hidden />}
        title={strings.emptyTitle}
        action={
          <Group justify="center" gap="xs" mt="xs">
            {mayImport && <ScreenButton to="/companies/import">{strings.importCompanies}</ScreenButton>}
            {mayWrite && (
              <Button variant="default" onClick={create}>
                {strings.newCompany}
              </Button>
            )}
          </Group>
        }
      >
        {mayImport && strings.empty}
      </EmptyState>
    )
  const isSemantic = isSemanticSearch(search)
  const why = isSemantic ? strings.noSemanticMatch : search.q ? strings.noKeywordMatch : strings.noFilterMatch
  return (
    <EmptyState
      icon={<IconSearchOff aria-hidden />}
      title={strings.noResults}
      action={
        <Group justify="center" gap="xs" mt="xs">
          {search.q && !isSemantic && (
            <Button onClick={() => change({ by: 'semantic' })}>
              {hasModel ? strings.trySemantic : strings.tryBestMatch}
            </Button>
          )}
          {isSemantic && <Button onClick={() => change({ by: undefined })}>{strings.useKeywords}</Button>}
          {isFiltered && (
            <Button variant="default" onClick={() => change(NO_FILTERS)}>
              {strings.clearFilters}
            </Button>
          )}
          {search.q && !isFiltered && (
            <Button variant="default" onClick={() => change({ q: undefined })}>
              {strings.clearSearch}
            </Button>
          )}
        </Group>
      }
    >
      {why} {search.q && !isSemantic && hasModel && strings.otherWordings}
    </EmptyState>
  )
}

/**
 * Offers keyword search when semantic search is not available.
 * @param error undefined if it is turned off
 */
export function SemanticSearchUnavailable({
  error,
  useKeywords,
}: {
  error?: unknown
  useKeywords: () => void
}) {
  return (
    <Alert
      color="orange"
      icon={<IconSparkles aria-hidden />}
      title={error ? strings.semanticFailed : strings.semanticOff}
      role="alert"
    >
      <Stack gap="xs" align="flex-start">
        {error !== undefined && errorMessage(error)}
        <Button size="xs" variant="default" onClick={useKeywords}>
          {strings.useKeywords}
        </Button>
      </Stack>
    </Alert>
  )
}

interface ListErrorProps {
  error: unknown
  retry: () => void
  search: CompaniesSearch
  change: ChangeSearch
}

/** Says why the list cannot be shown. A filter or sort that the service rejects can be removed. */
export function ListError({ error, retry, search, change }: ListErrorProps) {
  if (!(error instanceof InvalidRequest) || !(search.filter || search.sort))
    return <ErrorState error={error} retry={retry} />
  const isSort = search.sort !== undefined && (!search.filter || error.details.startsWith('sort'))
  return (
    <Alert color="red" variant="light" title={strings.refused} role="alert">
      <Stack gap="xs" align="flex-start">
        {isListMissing(search) ? strings.listInAnotherTab : errorMessage(error)}
        <Button size="xs" variant="default" onClick={() => change(isSort ? { sort: undefined } : NO_FILTERS)}>
          {isSort ? general.resetSort : strings.clearFilters}
        </Button>
      </Stack>
    </Alert>
  )
}

/** @param isSearch whether rows will have a second line for a passage */
export function ListSkeleton({ isCompact, isSearch }: { isCompact: boolean; isSearch: boolean }) {
  return (
    <Box
      className={tableClasses.region}
      aria-hidden
      data-skeleton="companies"
      mod={{ compact: isCompact, passages: isSearch }}
    >
      {Array.from({ length: 18 }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all placeholders are alike
        <div key={line} className={classes.row}>
          <i />
          <i />
          <i />
          <i />
          <i />
        </div>
      ))}
    </Box>
  )
}

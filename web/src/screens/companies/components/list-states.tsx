import { Alert, Button, Group, Stack } from '@mantine/core'
import { IconBuildingFactory2, IconSearchOff, IconSparkles } from '@tabler/icons-react'
import { strings } from '#strings/companies.ts'
import { strings as lists } from '#strings/lists.ts'
import { errorMessage } from '#web/api/error-message.ts'
import { useCan } from '#web/api/use-can.ts'
import { ScreenButton } from '#web/ui/link.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { type CompaniesSearch, hasFilters, isSemanticSearch, NO_FILTERS } from '../companies-search.ts'
import type { ChangeCompanies } from '../hooks/use-company-list.ts'

interface NoCompaniesProps {
  search: CompaniesSearch
  change: ChangeCompanies
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
      title={lists.noResults}
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
              {lists.clearFilters}
            </Button>
          )}
          {search.q && !isFiltered && (
            <Button variant="default" onClick={() => change({ q: undefined })}>
              {lists.clearSearch}
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

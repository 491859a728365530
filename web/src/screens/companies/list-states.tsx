import { Alert, Button, Group, Skeleton, Stack } from '@mantine/core'
import { IconBuildingFactory2, IconSearchOff, IconSparkles } from '@tabler/icons-react'
import { strings } from '#strings/companies.ts'
import { errorMessage } from '#web/service/error-message.ts'
import { ScreenButton } from '#web/ui/link.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { NO_FILTERS } from './active-filters.tsx'
import { type CompaniesSearch, hasFilters, isByMeaning } from './companies-search.ts'
import classes from './table.module.css'
import type { ChangeSearch } from './use-company-list.ts'

interface NoCompaniesProps {
  search: CompaniesSearch
  change: ChangeSearch
  create: () => void
}

/** Says why the list is empty, and what to do about it. */
export function NoCompanies({ search, change, create }: NoCompaniesProps) {
  const isFiltered = hasFilters(search)
  if (!search.q && !isFiltered)
    return (
      <EmptyState
        icon={<IconBuildingFactory2 aria-hidden />}
        title={strings.emptyTitle}
        action={
          <Group justify="center" gap="xs" mt="xs">
            <ScreenButton to="/companies/import">{strings.importCsv}</ScreenButton>
            <Button variant="default" onClick={create}>
              {strings.newCompany}
            </Button>
          </Group>
        }
      >
        {strings.empty}
      </EmptyState>
    )
  const byMeaning = isByMeaning(search)
  const why = byMeaning ? strings.noMatchMeaning : search.q ? strings.noMatchWords : strings.noMatchFilters
  return (
    <EmptyState
      icon={<IconSearchOff aria-hidden />}
      title={strings.noMatchTitle}
      action={
        <Group justify="center" gap="xs" mt="xs">
          {search.q && !byMeaning && (
            <Button onClick={() => change({ by: 'meaning' })}>{strings.tryMeaning}</Button>
          )}
          {byMeaning && <Button onClick={() => change({ by: undefined })}>{strings.useWords}</Button>}
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
      {why}
    </EmptyState>
  )
}

/** Says that companies cannot be found by meaning, and offers the words. @param error none: it is switched off */
export function SemanticSearchUnavailable({ error, useWords }: { error?: unknown; useWords: () => void }) {
  return (
    <Alert
      color="orange"
      icon={<IconSparkles aria-hidden />}
      title={error ? strings.meaningFailed : strings.meaningOff}
      role="alert"
    >
      <Stack gap="xs" align="flex-start">
        {error !== undefined && errorMessage(error)}
        <Button size="xs" variant="default" onClick={useWords}>
          {strings.useWords}
        </Button>
      </Stack>
    </Alert>
  )
}

/** Stands where the rows will be. */
export function ListSkeleton({ isCompact }: { isCompact: boolean }) {
  return (
    <div className={classes.region} aria-hidden>
      {Array.from({ length: 14 }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike
        <div key={line} className={classes.skeletonRow} style={{ height: isCompact ? 33 : 53 }}>
          <Skeleton height={14} width={14} />
          <Skeleton height={14} style={{ flex: 3 }} />
          <Skeleton height={14} style={{ flex: 1 }} />
          <Skeleton height={14} style={{ flex: 1 }} />
          <Skeleton height={14} style={{ flex: 1 }} />
        </div>
      ))}
    </div>
  )
}

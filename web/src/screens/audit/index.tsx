import { Button, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDownload, IconShieldLock } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { strings } from '#strings/audit.ts'
import { strings as keyboard } from '#strings/keyboard.ts'
import { onePage, pageCount } from '#web/api/paging.ts'
import { queries } from '#web/api/queries.ts'
import { service } from '#web/api/service.ts'
import { useCan } from '#web/api/use-can.ts'
import { saveFile } from '#web/browser/save-file.ts'
import { formatNumber } from '#web/format/format.ts'
import { useActions } from '#web/keyboard/actions.ts'
import { NotPermitted } from '#web/ui/not-permitted.tsx'
import { Page } from '#web/ui/page.tsx'
import { Pages } from '#web/ui/pages.tsx'
import { EmptyState, ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import type { AuditSearch } from './audit-search.ts'
import { AuditFilters } from './components/audit-filters.tsx'
import { AuditTable } from './components/audit-table.tsx'

const route = getRouteApi('/shell/admin/audit')
const PAGE_SIZE = 50

/** The audit log, newest first. For admins. */
export function AuditScreen() {
  const mayRead = useCan('audit')
  if (mayRead) return <AuditLog />
  return (
    <Page title={strings.title}>
      <NotPermitted>{strings.notPermitted}</NotPermitted>
    </Page>
  )
}

function AuditLog() {
  const { page = 1, ...filters } = route.useSearch()
  const navigate = route.useNavigate()
  const entries = useQuery(queries.auditEntries({ ...filters, ...onePage(page, PAGE_SIZE) }))
  const download = useMutation({
    mutationFn: async () => {
      const file = await new Response(await service.exportAuditEntries({ querystring: filters })).blob()
      saveFile(file, strings.fileName(new Date().toISOString().slice(0, 10)))
    },
    onSuccess: () => notifications.show({ message: strings.downloaded, color: 'teal' }),
  })
  const total = entries.data?.pagination.total
  useActions([
    {
      id: 'download-audit',
      label: strings.download,
      group: keyboard.screen,
      run: download.mutate,
      disabled: !total || download.isPending,
    },
  ])
  const isFiltered = Object.keys(filters).length > 0
  const choose = (search: AuditSearch) => navigate({ search, replace: true, resetScroll: false })
  return (
    <Page
      title={strings.title}
      description={
        <span role="status">
          {total === undefined ? '\u00a0' : strings.count(total, formatNumber(total))}
        </span>
      }
      actions={
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          loading={download.isPending}
          disabled={!total}
          onClick={() => download.mutate()}
        >
          {strings.download}
        </Button>
      }
    >
      <Stack gap="md">
        <AuditFilters search={filters} choose={choose} />
        {entries.isPending && <SkeletonLines lines={12} height={24} />}
        {entries.isError && <ErrorState error={entries.error} retry={() => entries.refetch()} />}
        {total === 0 && (
          <EmptyState
            icon={<IconShieldLock aria-hidden />}
            title={isFiltered ? strings.noMatch : strings.empty}
          >
            {isFiltered ? strings.noMatchHelp : strings.emptyHelp}
          </EmptyState>
        )}
        {entries.data && entries.data.data.length > 0 && (
          <AuditTable entries={entries.data.data} isStale={entries.isPlaceholderData} />
        )}
        <Pages
          query={entries}
          pages={pageCount(entries.data, PAGE_SIZE)}
          page={page}
          goTo={(chosen, replace = false) =>
            navigate({ search: { ...filters, ...(chosen > 1 && { page: chosen }) }, replace })
          }
        />
      </Stack>
    </Page>
  )
}

import { Group, Pagination, Paper, Stack, Table, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { strings } from '#strings/bulk-actions.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import type { useActionCompanies } from '../hooks/use-action-companies.ts'

interface CompaniesSectionProps {
  title: string
  companies: ReturnType<typeof useActionCompanies>
  /** The layout of the table: column widths as set, or by content. */
  layout: 'fixed' | 'auto'
  /** The columns after the company name. */
  head: ReactNode
  /** The rows. */
  children: ReactNode
}

/** A paginated table of companies in a bulk action. */
export function CompaniesSection({ title, companies, layout, head, children }: CompaniesSectionProps) {
  const { list, page, pages, goTo } = companies
  return (
    <Paper withBorder p="lg" component="section" aria-label={title}>
      <Title order={2} size="h5" mb="sm">
        {title}
      </Title>
      {list.isPending && <SkeletonLines lines={6} height={28} />}
      {list.isError && !list.data && <ErrorState error={list.error} retry={() => list.refetch()} />}
      {list.data && (
        <Stack gap="md">
          <Table layout={layout} verticalSpacing="xs" highlightOnHover aria-label={title}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{strings.company}</Table.Th>
                {head}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>{children}</Table.Tbody>
          </Table>
          <Pages pages={pages} page={page} goTo={goTo} />
        </Stack>
      )}
    </Paper>
  )
}

/** The first column: the company name as a link. */
export function CompanyCell({ id, name }: { id: string; name: string }) {
  return (
    <Table.Td className="break-anywhere">
      <ScreenLink to="/companies/$id" params={{ id }} size="sm" lineClamp={2} dir="auto">
        {name || strings.noName}
      </ScreenLink>
    </Table.Td>
  )
}

interface PagesProps {
  /** The number of pages. */
  pages: number
  page: number
  goTo: (page: number) => void
}

/** Pagination, if there is more than one page. */
function Pages({ pages, page, goTo }: PagesProps) {
  if (pages < 2) return null
  return (
    <Group justify="center">
      <Pagination
        total={pages}
        value={page}
        onChange={goTo}
        size="sm"
        aria-label={strings.pages}
        getControlProps={(control) => ({ 'aria-label': strings.pageControls[control] })}
      />
    </Group>
  )
}

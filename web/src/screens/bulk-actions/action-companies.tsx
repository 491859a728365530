import { Paper, Stack, Table, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { strings } from '#strings/bulk-actions.ts'
import { isUnderWay } from '#web/parts/bulk-actions-under-way.ts'
import { ScreenLink } from '#web/parts/link.tsx'
import { ScoreBadge } from '#web/parts/score.tsx'
import { ErrorState, SkeletonLines } from '#web/parts/states.tsx'
import { queries } from '#web/service/queries.ts'
import type { BulkAction } from '#web/service/service.ts'
import { Pages } from './pages.tsx'

const A_PAGE = 25
const LOOK_EVERY_MS = 5000

/** The companies that an action is done with, and what they score now. */
export function ActionCompanies({ action }: { action: BulkAction }) {
  const [page, setPage] = useState(1)
  const done = useQuery({
    ...queries.bulkActionCompanies(action.id, {
      state: 'processed',
      limit: A_PAGE,
      offset: (page - 1) * A_PAGE,
    }),
    refetchInterval: isUnderWay(action) ? LOOK_EVERY_MS : false,
  })
  const ids = done.data?.data.map(({ company_id }) => company_id) ?? []
  const companies = useQuery({
    ...queries.companies({ ids: ids.join(), limit: A_PAGE }),
    enabled: ids.length > 0 && action.action_type === 'llm_score',
  })
  const scores = new Map(companies.data?.data.map(({ id, llm_score_overall }) => [id, llm_score_overall]))
  const pages = Math.ceil((done.data?.pagination.total ?? 0) / A_PAGE)
  return (
    <Paper withBorder p="lg" component="section" aria-label={strings.doneCompanies}>
      <Title order={2} size="h5" mb="sm">
        {strings.doneCompanies}
      </Title>
      {done.isPending && <SkeletonLines lines={6} height={28} />}
      {done.isError && !done.data && <ErrorState error={done.error} retry={() => done.refetch()} />}
      {done.data && (
        <Stack gap="md">
          <Table verticalSpacing="xs" highlightOnHover aria-label={strings.doneCompanies}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{strings.company}</Table.Th>
                {action.action_type === 'llm_score' && <Table.Th ta="end">{strings.score}</Table.Th>}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {done.data.data.map(({ company_id, name }) => (
                <Table.Tr key={company_id}>
                  <Table.Td className="break-anywhere">
                    <ScreenLink
                      to="/companies/$id"
                      params={{ id: company_id }}
                      size="sm"
                      lineClamp={2}
                      dir="auto"
                    >
                      {name || strings.noName}
                    </ScreenLink>
                  </Table.Td>
                  {action.action_type === 'llm_score' && (
                    <Table.Td ta="end">
                      <ScoreBadge score={scores.get(company_id) ?? null} />
                    </Table.Td>
                  )}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
          <Pages pages={pages} page={page} goTo={setPage} />
        </Stack>
      )}
    </Paper>
  )
}

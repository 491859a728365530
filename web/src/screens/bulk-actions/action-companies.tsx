import { Table } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { strings } from '#strings/bulk-actions.ts'
import { queries } from '#web/service/queries.ts'
import type { BulkAction } from '#web/service/service.ts'
import { ScoreBadge } from '#web/ui/score.tsx'
import { CompaniesSection, CompanyCell } from './companies-section.tsx'
import { PAGE_SIZE, useActionCompanies } from './use-action-companies.ts'

/** The companies that a bulk action has processed, with their current scores. */
export function ActionCompanies({ action }: { action: BulkAction }) {
  const done = useActionCompanies(action, 'processed')
  const isScoring = action.action_type === 'llm_score'
  const rows = done.list.data?.data ?? []
  const companies = useQuery({
    ...queries.companies({ ids: rows.map(({ company_id }) => company_id).join(), limit: PAGE_SIZE }),
    enabled: rows.length > 0 && isScoring,
  })
  const scores = new Map(companies.data?.data.map(({ id, llm_score_overall }) => [id, llm_score_overall]))
  return (
    <CompaniesSection
      title={strings.completedCompanies}
      companies={done}
      layout="auto"
      head={isScoring && <Table.Th ta="end">{strings.score}</Table.Th>}
    >
      {rows.map(({ company_id, name }) => (
        <Table.Tr key={company_id}>
          <CompanyCell id={company_id} name={name} />
          {isScoring && (
            <Table.Td ta="end">
              <ScoreBadge score={scores.get(company_id) ?? null} />
            </Table.Td>
          )}
        </Table.Tr>
      ))}
    </CompaniesSection>
  )
}

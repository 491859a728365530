import { Group, Table, Text } from '@mantine/core'
import type { Client } from '#src/client/client.ts'
import { strings } from '#strings/bulk-actions.ts'
import type { BulkAction } from '#web/api/service.ts'
import { formatChange } from '#web/format/format.ts'
import { ScoreBadge } from '#web/ui/score.tsx'
import { useActionCompanies } from '../hooks/use-action-companies.ts'
import { CompaniesSection, CompanyCell } from './companies-section.tsx'

/** The companies that a bulk action has processed. Of a scoring, the largest changes come first. */
export function ActionCompanies({ action }: { action: BulkAction }) {
  const isScoring = action.action_type === 'llm_score'
  const done = useActionCompanies(action, 'processed', isScoring ? 'change' : 'company_id')
  const rows = done.list.data?.data ?? []
  return (
    <CompaniesSection
      title={strings.completedCompanies}
      companies={done}
      layout="auto"
      head={
        isScoring && (
          <>
            <Table.Th ta="end">{strings.scoreBefore}</Table.Th>
            <Table.Th ta="end">{strings.scoreNow}</Table.Th>
            <Table.Th ta="end">{strings.scoreChange}</Table.Th>
          </>
        )
      }
    >
      {rows.map((company) => (
        <Table.Tr key={company.company_id}>
          <CompanyCell id={company.company_id} name={company.name} />
          {isScoring && <ScoreCells {...company} />}
        </Table.Tr>
      ))}
    </CompaniesSection>
  )
}

type Company = Awaited<ReturnType<Client['listBulkActionCompanies']>>['data'][number]

function ScoreCells({ previous_score, score, kept }: Company) {
  const now = kept ? previous_score : (score ?? previous_score)
  const change = now === null || previous_score === null ? null : now - previous_score
  return (
    <>
      <Table.Td ta="end">
        <ScoreBadge score={previous_score} />
      </Table.Td>
      <Table.Td ta="end">
        <ScoreBadge score={now} />
      </Table.Td>
      <Table.Td ta="end">
        {kept ? (
          <Group gap="0 6px" justify="flex-end">
            <Text size="sm">{strings.scoreKept}</Text>
            {score !== null && (
              <Text size="sm" c="dimmed">
                {strings.scoreFound(score)}
              </Text>
            )}
          </Group>
        ) : (
          <Text size="sm" c={change ? undefined : 'dimmed'}>
            {change === null ? now !== null && strings.scoreNew : formatChange(change)}
          </Text>
        )}
      </Table.Td>
    </>
  )
}

import { Paper, Table, Text, Title } from '@mantine/core'
import { strings } from '#strings/bulk-actions.ts'
import { strings as general } from '#strings/general.ts'
import type { BulkAction } from '#web/api/service.ts'
import { formatNumber, formatWord } from '#web/format/format.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import { errorCauses } from '../error-causes.ts'
import { useActionCompanies } from '../hooks/use-action-companies.ts'
import { CompaniesSection, CompanyCell } from './companies-section.tsx'

/** The failures of a bulk action by cause, and the companies that failed. */
export function ActionFailures({ action }: { action: BulkAction }) {
  return (
    <>
      <Causes action={action} />
      {action.failed_companies > 0 && <FailedCompanies action={action} />}
    </>
  )
}

function Causes({ action }: { action: BulkAction }) {
  const causes = errorCauses(action)
  if (causes.length === 0) return null
  return (
    <Paper withBorder p="lg" component="section" aria-label={strings.causes}>
      <Title order={2} size="h5" mb="sm">
        {strings.causes}
      </Title>
      <Table layout="fixed" verticalSpacing="xs" aria-label={strings.causes}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={{ base: 110, sm: 200 }}>{strings.cause}</Table.Th>
            <Table.Th visibleFrom="sm" w={110} ta="end">
              {strings.count}
            </Table.Th>
            <Table.Th>{strings.example}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {causes.map(({ kind, count, message, companyId }) => (
            <Table.Tr key={kind} style={{ verticalAlign: 'top' }}>
              <Table.Td className="break-anywhere">
                {formatWord(kind) || strings.unnamedCause}
                {count !== null && (
                  <Text size="xs" c="dimmed" hiddenFrom="sm">
                    {strings.companies(count)}
                  </Text>
                )}
              </Table.Td>
              <Table.Td visibleFrom="sm" ta="end">
                {count === null ? general.none : formatNumber(count)}
              </Table.Td>
              <Table.Td className="break-anywhere">
                <Text size="sm" lineClamp={4} dir="auto">
                  {message ?? general.none}
                </Text>
                {companyId && (
                  <ScreenLink to="/companies/$id" params={{ id: companyId }} size="xs">
                    {strings.viewCompany}
                  </ScreenLink>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  )
}

function FailedCompanies({ action }: { action: BulkAction }) {
  const failed = useActionCompanies(action, 'failed')
  return (
    <CompaniesSection
      title={strings.failedCompanies}
      companies={failed}
      layout="fixed"
      head={
        <>
          <Table.Th visibleFrom="sm" w={180}>
            {strings.cause}
          </Table.Th>
          <Table.Th visibleFrom="sm" w={90} ta="end">
            {strings.attempts}
          </Table.Th>
          <Table.Th w="45%">{strings.error}</Table.Th>
        </>
      }
    >
      {failed.list.data?.data.map(({ company_id, name, attempts, error_kind, error }) => (
        <Table.Tr key={company_id} style={{ verticalAlign: 'top' }}>
          <CompanyCell id={company_id} name={name} />
          <Table.Td visibleFrom="sm" className="break-anywhere">
            {error_kind ? formatWord(error_kind) : general.none}
          </Table.Td>
          <Table.Td visibleFrom="sm" ta="end">
            {formatNumber(attempts)}
          </Table.Td>
          <Table.Td className="break-anywhere">
            <Text size="sm" lineClamp={3} title={error ?? undefined} dir="auto">
              {error ?? general.none}
            </Text>
          </Table.Td>
        </Table.Tr>
      ))}
    </CompaniesSection>
  )
}

import { Text } from '@mantine/core'
import { strings } from '#strings/company.ts'
import { formatAge, formatMoment } from '#web/format/format.ts'
import type { CompanyRecord } from '../company-changes.ts'

/** When the company was last changed. All other facts are below, each in one place. */
export function CompanySummary({ company }: { company: CompanyRecord }) {
  return (
    <Text size="sm" c="dimmed" title={formatMoment(company.updated_at)}>
      {strings.updated(formatAge(company.updated_at))}
    </Text>
  )
}

import { Anchor, Text } from '@mantine/core'
import { strings } from '#strings/company.ts'
import { formatLocation } from '#web/format/countries.ts'
import { firstSentence } from '#web/format/first-sentence.ts'
import { formatAge, formatMoment } from '#web/format/format.ts'
import { Facts } from '#web/ui/facts.tsx'
import { type CompanyRecord, FIELDS } from '../company-fields.ts'
import { asWebUrl } from '../type-guards.ts'
import { EditableCompanyField } from './editable-company-field.tsx'

/** The name as the heading, edited in place. */
export const CompanyName = ({ company }: { company: CompanyRecord }) => (
  <EditableCompanyField
    company={company}
    field={FIELDS.name}
    hideLabel
    display={
      <Text span inherit lineClamp={3} title={company.name}>
        {company.name}
      </Text>
    }
  />
)

/** What the company does, where and how large it is, and the time of the last change. */
export function CompanySummary({ company }: { company: CompanyRecord }) {
  const { activity_description, hq_city, founded_year, employee_count, updated_at } = company
  const place = [hq_city, formatLocation(company)].filter(Boolean).join(', ')
  const address = asWebUrl(company.website)
  return (
    <>
      {activity_description && (
        <Text size="sm" c="var(--mantine-color-text)" lineClamp={2} maw="80ch" dir="auto" mb={2}>
          {firstSentence(activity_description)}
        </Text>
      )}
      <Facts
        facts={[
          place && <bdi key="place">{place}</bdi>,
          founded_year,
          employee_count !== null && strings.headcount(employee_count),
          address && (
            <Anchor
              key="site"
              href={address.href}
              target="_blank"
              rel="noopener noreferrer"
              inherit
              underline="always"
            >
              {address.host.replace(/^www\./, '')}
            </Anchor>
          ),
        ]}
        onScreen={<span title={formatMoment(updated_at)}>{strings.updated(formatAge(updated_at))}</span>}
      />
    </>
  )
}

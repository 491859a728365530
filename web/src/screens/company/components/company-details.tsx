import { Anchor, Group, SimpleGrid } from '@mantine/core'
import { IconArrowRight, IconExternalLink } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { MAX_TAGS } from '#src/client/limits.ts'
import { strings } from '#strings/company.ts'
import { queries } from '#web/api/queries.ts'
import { CustomFields } from '#web/fields/custom-fields.tsx'
import { personName } from '#web/fields/people.ts'
import { TagChips } from '#web/fields/tag-chips.tsx'
import { ownerField, tagsField } from '#web/fields/tags-and-owner.tsx'
import { countryName, formatLocation } from '#web/format/countries.ts'
import { formatEuros, formatNumber, formatWord } from '#web/format/format.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import { Section } from '#web/ui/section.tsx'
import { useIsCompact } from '#web/ui/use-preferences.ts'
import type { CompanyRecord } from '../company-fields.ts'
import { FIELDS, industryField, statusField, thesisField } from '../company-fields.ts'
import { asWebUrl } from '../type-guards.ts'
import { Description } from './description.tsx'
import { EditableCompanyField } from './editable-company-field.tsx'

const isValue = (value: string | null): value is string => value !== null

/** The names of what the facts of a company refer to. */
export function useThesesAndUsers({ owner_email }: CompanyRecord) {
  const theses = useQuery(queries.theses()).data?.data ?? []
  const users = useQuery({ ...queries.allUsers(), enabled: owner_email !== null }).data
  return { theses, users }
}

/** The fields of the company, edited in place. */
export function CompanyDetails({ company }: { company: CompanyRecord }) {
  const [needsSuggestions, setNeedsSuggestions] = useState(false)
  const facets = useQuery({ ...queries.companyFacets({}), enabled: needsSuggestions })
  const { theses, users } = useThesesAndUsers(company)
  const suggest = () => setNeedsSuggestions(true)
  const statuses = facets.data?.status.map(({ value }) => value).filter(isValue) ?? []
  const industries = facets.data?.industry_category.map(({ value }) => value).filter(isValue) ?? []
  const thesis = theses.find(({ id }) => id === company.thesis_id)
  const thesisInWords = (id: string) => theses.find((one) => one.id === id)?.code ?? id
  const address = asWebUrl(company.website)
  const isCompact = useIsCompact()
  return (
    <Section title={strings.details}>
      <SimpleGrid
        type="container"
        cols={{ base: 1, '16rem': 2, '36rem': 3, '70rem': 4 }}
        spacing="md"
        verticalSpacing={isCompact ? 4 : 'xs'}
      >
        <EditableCompanyField
          company={company}
          field={statusField(statuses)}
          display={formatWord(company.status)}
          format={formatWord}
          onEdit={suggest}
        />
        <EditableCompanyField
          company={company}
          field={ownerField}
          display={company.owner_email && <bdi>{personName(company.owner_email, users)}</bdi>}
          format={(email) => (email ? personName(email, users) : '')}
        />
        <EditableCompanyField
          company={company}
          field={tagsField}
          display={
            company.tags.length > 0 && (
              <Group gap={4} component="span">
                <TagChips tags={company.tags} max={MAX_TAGS} />
              </Group>
            )
          }
          format={(text) => text.split(',').join(', ')}
        />
        <EditableCompanyField
          company={company}
          field={FIELDS.country_code}
          display={formatLocation(company)}
          format={(code) => (code ? countryName(code) : (company.country ?? ''))}
        />
        <EditableCompanyField company={company} field={FIELDS.hq_city} />
        <EditableCompanyField company={company} field={industryField(industries)} onEdit={suggest} />
        <EditableCompanyField
          company={company}
          field={FIELDS.website}
          display={address?.host.replace(/^www\./, '')}
          aside={
            address && (
              <Anchor
                href={address.href}
                target="_blank"
                rel="noopener noreferrer"
                py={5}
                px={4}
                aria-label={strings.openWebsite(address.host)}
              >
                <IconExternalLink size={16} aria-hidden />
              </Anchor>
            )
          }
        />
        <EditableCompanyField
          company={company}
          field={thesisField(theses)}
          display={thesis?.code ?? (company.thesis_id && strings.unknownThesis(company.thesis_id))}
          format={thesisInWords}
          aside={
            thesis && (
              <ScreenLink
                to="/theses/$id"
                params={{ id: thesis.id }}
                py={5}
                px={4}
                aria-label={strings.openThesis(thesis.code)}
              >
                <IconArrowRight size={16} aria-hidden />
              </ScreenLink>
            )
          }
        />
        <EditableCompanyField company={company} field={FIELDS.founded_year} />
        <EditableCompanyField
          company={company}
          field={FIELDS.employee_count}
          display={company.employee_count !== null && formatNumber(company.employee_count)}
        />
        <EditableCompanyField
          company={company}
          field={FIELDS.revenue_eur}
          display={company.revenue_eur !== null && formatEuros(company.revenue_eur)}
        />
        <CustomFields
          entity="company"
          record={company}
          render={(id, field) => <EditableCompanyField key={id} company={company} {...field} />}
        />
      </SimpleGrid>
      <Description company={company} />
    </Section>
  )
}

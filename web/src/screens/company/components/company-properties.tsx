import { Anchor, Group } from '@mantine/core'
import { IconArrowRight, IconExternalLink } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { MAX_TAGS } from '#src/client/limits.ts'
import { strings } from '#strings/company.ts'
import { strings as words } from '#strings/fields.ts'
import { queries } from '#web/api/queries.ts'
import { useCustomFields } from '#web/fields/custom-fields.tsx'
import { personName } from '#web/fields/people.ts'
import { Properties } from '#web/fields/properties.tsx'
import { TagChips } from '#web/fields/tag-chips.tsx'
import { ownerField, tagsField } from '#web/fields/tags-and-owner.tsx'
import { countryName, formatLocation } from '#web/format/countries.ts'
import { formatEuros, formatNumber, formatWord } from '#web/format/format.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import { Section } from '#web/ui/section.tsx'
import { type CompanyRecord, FIELDS, industryField, statusField, thesisField } from '../company-fields.ts'
import { asWebUrl } from '../type-guards.ts'
import { Description } from './description.tsx'
import { type CompanyField, companyDraftKey, EditableCompanyField } from './editable-company-field.tsx'

const isValue = (value: string | null): value is string => value !== null

/** The names of what the facts of a company refer to. */
export function useThesesAndUsers({ owner_email }: CompanyRecord) {
  const theses = useQuery(queries.theses()).data?.data ?? []
  const users = useQuery({ ...queries.allUsers(), enabled: owner_email !== null }).data
  return { theses, users }
}

/** The fields of the company, edited in place. */
export function CompanyProperties({ company }: { company: CompanyRecord }) {
  const [needsSuggestions, setNeedsSuggestions] = useState(false)
  const facets = useQuery({ ...queries.companyFacets({}), enabled: needsSuggestions })
  const { theses, users } = useThesesAndUsers(company)
  const custom = useCustomFields('company', company)
  const suggest = () => setNeedsSuggestions(true)
  const statuses = facets.data?.status.map(({ value }) => value).filter(isValue) ?? []
  const industries = facets.data?.industry_category.map(({ value }) => value).filter(isValue) ?? []
  const thesis = theses.find(({ id }) => id === company.thesis_id)
  const shown: (CompanyField & { isWide?: boolean })[] = [
    {
      field: statusField(statuses),
      display: formatWord(company.status),
      format: formatWord,
      onEdit: suggest,
    },
    {
      field: ownerField,
      display: company.owner_email && <bdi>{personName(company.owner_email, users)}</bdi>,
      format: (email) => (email ? personName(email, users) : ''),
    },
    {
      field: thesisField(theses),
      display: thesis?.code ?? (company.thesis_id && strings.unknownThesis(company.thesis_id)),
      format: (id) => theses.find((one) => one.id === id)?.code ?? id,
      aside: thesis && <ThesisLink id={thesis.id} code={thesis.code} />,
    },
    {
      field: tagsField,
      display: company.tags.length > 0 && (
        <Group gap={4} component="span">
          <TagChips tags={company.tags} max={MAX_TAGS} />
        </Group>
      ),
      format: (text) => text.split(',').join(', '),
    },
    { field: industryField(industries), onEdit: suggest },
    {
      field: FIELDS.country_code,
      display: formatLocation(company),
      format: (code) => (code ? countryName(code) : (company.country ?? '')),
    },
    { field: FIELDS.hq_city },
    { field: FIELDS.website, ...websiteProps(company) },
    { field: FIELDS.founded_year },
    {
      field: FIELDS.employee_count,
      display: company.employee_count !== null && formatNumber(company.employee_count),
    },
    {
      field: FIELDS.revenue_eur,
      display: company.revenue_eur !== null && formatEuros(company.revenue_eur),
    },
    ...custom,
    { field: FIELDS.activity_description, isWide: true },
  ]
  const isEmpty = ({ field }: CompanyField) =>
    field.read(company) === '' && !(field === FIELDS.country_code && company.country)
  const properties = shown.map(({ isWide = false, ...props }) => ({
    key: props.field.label,
    label: props.field.label,
    isEmpty: isEmpty(props),
    draftKey: companyDraftKey(company, props.field),
    isWide,
    render: (opensAtOnce: boolean) =>
      props.field === FIELDS.activity_description ? (
        <Description company={company} opensAtOnce={opensAtOnce} />
      ) : (
        <EditableCompanyField company={company} {...props} opensAtOnce={opensAtOnce} />
      ),
  }))
  return (
    <Section title={words.properties}>
      <Properties properties={properties} />
    </Section>
  )
}

/** Shows the website by its host, with a link that opens it. */
function websiteProps({ website }: CompanyRecord) {
  const address = asWebUrl(website)
  if (!address) return {}
  return {
    display: address.host.replace(/^www\./, ''),
    aside: (
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
    ),
  }
}

const ThesisLink = ({ id, code }: { id: string; code: string }) => (
  <ScreenLink to="/theses/$id" params={{ id }} py={5} px={4} aria-label={strings.openThesis(code)}>
    <IconArrowRight size={16} aria-hidden />
  </ScreenLink>
)

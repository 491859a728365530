import { Anchor, Badge, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { strings } from '#strings/company.ts'
import { queries } from '#web/service/queries.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import { ScoreBadge } from '#web/ui/score.tsx'
import { countryName } from '#web/words/countries.ts'
import { formatAge, formatMoment, formatWord } from '#web/words/format.ts'
import type { CompanyRecord } from './save-company.ts'
import { asWebUrl } from './type-guards.ts'

/** The company in one line: status, score, location, industry, website, and thesis. */
export function CompanySummary({ company }: { company: CompanyRecord }) {
  const theses = useQuery(queries.theses()).data?.data
  const thesis = theses?.find(({ id }) => id === company.thesis_id)
  const address = asWebUrl(company.website)
  const country = company.country_code ? countryName(company.country_code) : company.country
  const place = [company.hq_city, country].filter(Boolean).join(', ')
  return (
    <Group gap="xs" mt={4} align="center">
      <Badge variant="default" radius="sm" tt="none" maw="100%">
        {formatWord(company.status)}
      </Badge>
      {company.llm_score_overall !== null && (
        <span role="img" aria-label={strings.scoreIs(company.llm_score_overall)}>
          <ScoreBadge score={company.llm_score_overall} />
        </span>
      )}
      {place && (
        <Text size="sm" dir="auto" lineClamp={1}>
          {place}
        </Text>
      )}
      {company.industry_category && (
        <Text size="sm" dir="auto" lineClamp={1}>
          {company.industry_category}
        </Text>
      )}
      {address && (
        <Anchor
          href={address.href}
          target="_blank"
          rel="noopener noreferrer"
          size="sm"
          lineClamp={1}
          underline="always"
        >
          {address.host.replace(/^www\./, '')}
        </Anchor>
      )}
      {thesis && (
        <ScreenLink to="/theses/$id" params={{ id: thesis.id }} size="sm" lineClamp={1} underline="always">
          {thesis.code}
        </ScreenLink>
      )}
      <Text size="sm" c="dimmed" title={formatMoment(company.updated_at)}>
        {strings.updated(formatAge(company.updated_at))}
      </Text>
    </Group>
  )
}

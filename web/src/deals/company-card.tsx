import { Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { strings } from '#strings/deals.ts'
import { queries } from '#web/api/queries.ts'
import { isPast } from '#web/fields/past-link.ts'
import { formatLocation } from '#web/format/countries.ts'
import { firstSentence } from '#web/format/first-sentence.ts'
import { CompanyLogo } from '#web/ui/company-logo.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { ScreenLink } from '#web/ui/link.tsx'
import { Monogram } from '#web/ui/monogram.tsx'
import { ScoreBadge } from '#web/ui/score.tsx'
import { Section } from '#web/ui/section.tsx'

const MAX_PEOPLE = 6

/** The company of a deal: what it does, and who is there. */
export function CompanyCard({ id, name }: { id: string; name: string }) {
  const company = useQuery(queries.company(id)).data?.company
  const people = useQuery(queries.companyPeople(id)).data?.data ?? []
  const present = people.filter(({ link }) => !isPast(link))
  return (
    <Section title={strings.company}>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <CompanyLogo name={name} url={company?.logo_url} size={24} />
        <Stack gap={2} flex={1} miw={0}>
          <ScreenLink
            to="/companies/$id"
            params={{ id }}
            size="sm"
            fw={500}
            dir="auto"
            className="break-anywhere"
          >
            {name}
          </ScreenLink>
          {company?.activity_description && (
            <Text size="sm" lineClamp={3} dir="auto">
              {firstSentence(company.activity_description)}
            </Text>
          )}
          {company && <Facts facts={[company.industry_category, company.hq_city, formatLocation(company)]} />}
        </Stack>
        {company && company.llm_score_overall !== null && (
          <span title={strings.score}>
            <ScoreBadge score={company.llm_score_overall} />
          </span>
        )}
      </Group>
      {present.length > 0 && (
        <Stack gap={4} component="ul" m={0} p={0} style={{ listStyle: 'none' }} aria-label={strings.people}>
          {present.slice(0, MAX_PEOPLE).map((person) => (
            <Group key={person.id} component="li" gap="xs" wrap="nowrap">
              <Monogram name={person.name} size={20} isPerson />
              <Text size="sm" truncate>
                <ScreenLink to="/people/$id" params={{ id: person.id }} inherit dir="auto">
                  {person.name}
                </ScreenLink>
                {person.link.role && (
                  <Text span inherit c="dimmed" dir="auto">
                    {' · '}
                    {person.link.role}
                  </Text>
                )}
              </Text>
            </Group>
          ))}
        </Stack>
      )}
    </Section>
  )
}

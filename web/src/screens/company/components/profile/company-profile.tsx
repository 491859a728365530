import { Alert, Badge, Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconAlertTriangle, IconFileText } from '@tabler/icons-react'
import { strings } from '#strings/company.ts'
import { useCan } from '#web/api/use-can.ts'
import { formatDay, formatMoment, formatPercent, formatWord } from '#web/format/format.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import { Section } from '#web/ui/section.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import type { CompanyRecord } from '../../company-fields.ts'
import { type EnrichedFact, type EnrichedProfile, readProfile } from '../../enriched-facts.ts'
import { isRecord } from '../../type-guards.ts'
import classes from '../company.module.css'
import { Warnings } from '../score/company-score.tsx'
import { ShareBar } from '../score/score-bar.tsx'
import { FactValue } from './fact-value.tsx'
import { formatValue, JsonValue } from './json-value.tsx'

interface CompanyProfileProps {
  company: CompanyRecord
  enrich: () => void
}

const factLabel = (name: string): string => strings.factNames[name] ?? formatWord(name)

/** The profile that enrichment wrote: facts with their sources. */
export function CompanyProfile({ company, enrich }: CompanyProfileProps) {
  const mayEnrich = useCan('bulk')
  const data: unknown = company.enriched_data
  const error = company.enriched_data_error
  const profile = isRecord(data) ? readProfile(data) : null
  return (
    <Section
      title={strings.profileTitle}
      actions={
        mayEnrich &&
        (profile || error) && (
          <Button size="compact-sm" variant="default" onClick={enrich}>
            {strings.enrichAgain}
          </Button>
        )
      }
    >
      {error ? (
        <Alert
          color="red"
          variant="light"
          icon={<IconAlertTriangle aria-hidden />}
          title={strings.profileUnreadable}
          role="alert"
        >
          {error}
        </Alert>
      ) : profile ? (
        <>
          <ProfileOrigin profile={profile} />
          <Warnings warnings={profile.warnings} />
          <div className={classes.facts}>
            {profile.facts.map((fact) => (
              <Fact key={fact.name} fact={fact} />
            ))}
          </div>
          {profile.unknown.length > 0 && (
            <Text size="sm" c="dimmed">
              {strings.nothingKnown(profile.unknown.map(factLabel).join(', '))}
            </Text>
          )}
          <FilledFields filled={profile.filled} />
          <SourcesExplained />
        </>
      ) : (
        <>
          {data !== null && data !== undefined && <JsonValue value={data} />}
          <EmptyState
            icon={<IconFileText />}
            title={strings.noProfile}
            action={mayEnrich && <Button onClick={enrich}>{strings.enrichCompany}</Button>}
          >
            {strings.noProfileHelp}
          </EmptyState>
        </>
      )}
    </Section>
  )
}

/** The model, the date, and whether the website could be read. */
function ProfileOrigin({
  profile: { model, enrichedAt, bulkAction, website },
}: {
  profile: EnrichedProfile
}) {
  return (
    <Text size="sm" c="dimmed" component="div" className="break-anywhere">
      {model && strings.writtenBy(model)}
      {enrichedAt && ` · ${formatMoment(enrichedAt)}`}
      {bulkAction && (
        <>
          {' · '}
          <ScreenLink to="/bulk-actions/$id" params={{ id: bulkAction }} underline="always" inherit>
            {strings.viewBulkAction}
          </ScreenLink>
        </>
      )}
      {website && (
        <div>
          {website.readAt ? strings.websiteRead(formatMoment(website.readAt)) : strings.websiteNotRead}
          {website.reason && `: ${website.reason}`}
        </div>
      )}
    </Text>
  )
}

function Fact({ fact: { name, value, source, confidence, date } }: { fact: EnrichedFact }) {
  return (
    <section className={classes.fact} aria-label={factLabel(name)}>
      <Title order={3} size="sm">
        {factLabel(name)}
      </Title>
      <FactValue name={name} value={value} />
      <Stack gap={4}>
        <Group gap="xs">
          {source && (
            <Badge variant="default" size="sm" radius="sm" tt="none" fw={500}>
              {strings.sources[source] ?? formatWord(source)}
            </Badge>
          )}
          {date && (
            <Text size="xs" c="dimmed">
              {formatDay(date)}
            </Text>
          )}
        </Group>
        {confidence !== null && (
          <Group gap="xs" maw={220}>
            <ShareBar label={strings.confidenceIs(formatPercent(confidence))} share={confidence} />
          </Group>
        )}
      </Stack>
    </section>
  )
}

function FilledFields({ filled }: { filled: [string, unknown][] }) {
  if (filled.length === 0) return null
  return (
    <Stack gap={4}>
      <Title order={3} size="sm">
        {strings.filledFields}
      </Title>
      <Text size="sm" c="dimmed">
        {strings.filledFieldsHelp}
      </Text>
      <Stack component="ul" gap={2} m={0} ps="md" fz="sm">
        {filled.map(([field, value]) => {
          const words = field === 'founded_year' ? String(value) : formatValue(value, field)
          return (
            <li key={field} className="break-anywhere">
              {strings.recordFields[field] ?? formatWord(field)}
              {words && (
                <>
                  : <bdi>{words}</bdi>
                </>
              )}
            </li>
          )
        })}
      </Stack>
    </Stack>
  )
}

function SourcesExplained() {
  return (
    <Stack gap={4}>
      <Title order={3} size="sm">
        {strings.sourcesTitle}
      </Title>
      <Stack component="ul" gap={2} m={0} ps="md" fz="sm">
        {Object.entries(strings.sourcesHelp).map(([source, explanation]) => (
          <li key={source}>
            <Text span inherit fw={600}>
              {strings.sources[source]}
            </Text>
            : {explanation}
          </li>
        ))}
      </Stack>
    </Stack>
  )
}

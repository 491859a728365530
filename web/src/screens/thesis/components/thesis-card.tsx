import { Badge, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { strings } from '#strings/theses.ts'
import type { ThesisSummary } from '#web/api/service.ts'
import { formatAge, formatMoment, formatWord } from '#web/format/format.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import { NewMark } from '#web/views/new-mark.tsx'

const COLORS: Record<string, string> = { active: 'teal', draft: 'blue' }

export function ThesisStatus({ status }: { status: string }) {
  return (
    <Badge
      variant="light"
      color={COLORS[status] ?? 'gray'}
      radius="sm"
      tt="none"
      style={{ flexShrink: 0 }}
      maw="50%"
    >
      {formatWord(status)}
    </Badge>
  )
}

interface ThesisCardProps {
  thesis: ThesisSummary
  /** The number of linked companies; null: unknown. */
  companies: number | null
  /** Whether it has entered the open view since the user last looked. */
  isNew: boolean
}

/** A thesis in the list. */
export function ThesisCard({ thesis, companies, isNew }: ThesisCardProps) {
  const { id, code, title, summary, status, updated_at } = thesis
  return (
    <Paper
      component="article"
      withBorder
      p="md"
      style={{ display: 'flex', flexDirection: 'column', gap: '0.75rem' }}
    >
      <Stack gap={6} style={{ flex: 1 }}>
        <Group justify="space-between" wrap="nowrap" gap="xs">
          <Group wrap="nowrap" gap={0} miw={0}>
            {isNew && <NewMark />}
            <Text size="xs" c="dimmed" fw={600} lineClamp={1} className="break-anywhere" dir="auto">
              {code}
            </Text>
          </Group>
          <ThesisStatus status={status} />
        </Group>
        <Title order={2} size="h4" lineClamp={3} className="break-anywhere" dir="auto">
          <ScreenLink to="/theses/$id" params={{ id }} inherit c="inherit">
            {title}
          </ScreenLink>
        </Title>
        {summary && (
          <Text size="sm" c="dimmed" lineClamp={3} className="break-anywhere" dir="auto">
            {summary}
          </Text>
        )}
      </Stack>
      <Group justify="space-between" gap="xs">
        {companies ? (
          <ScreenLink
            to="/companies"
            search={{ thesis_id: id }}
            size="sm"
            aria-label={`${strings.companies(companies)}. ${strings.companiesOf(code)}`}
          >
            {strings.companies(companies)}
          </ScreenLink>
        ) : (
          <Text size="sm" c="dimmed">
            {companies === 0 && strings.companies(0)}
          </Text>
        )}
        <Text size="xs" c="dimmed">
          <time dateTime={updated_at} title={formatMoment(updated_at)}>
            {strings.updated(formatAge(updated_at))}
          </time>
        </Text>
      </Group>
    </Paper>
  )
}

import { NativeSelect, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { strings } from '#strings/history.ts'
import { onePage, pageCount } from '#web/api/paging.ts'
import { queries } from '#web/api/queries.ts'
import { Pages } from '#web/ui/pages.tsx'
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import { HistoryList } from './history-list.tsx'
import { fieldName } from './sentence-slots.ts'

const PAGE_SIZE = 25

const FIELDS = {
  company: [
    'name',
    'status',
    'website',
    'country_code',
    'hq_city',
    'industry_category',
    'activity_description',
    'founded_year',
    'employee_count',
    'revenue_eur',
    'thesis_id',
    'llm_score_overall',
    'llm_score_details',
    'executives',
    'financials',
  ],
  deal: ['stage', 'status', 'probability', 'notes'],
  thesis: ['code', 'title', 'status', 'summary', 'report_markdown'],
  note: ['title', 'body', 'kind', 'happened_at', 'mentions', 'pinned', 'visibility'],
  task: ['title', 'due_on', 'due_at', 'assignee_email', 'repeat', 'unless_contact_days', 'done_at'],
  file: ['name', 'about', 'visibility', 'version'],
  person: ['name', 'headline', 'emails', 'phones', 'links', 'location', 'owner_email', 'tags'],
}

interface HistoryProps {
  of: keyof typeof FIELDS
  id: string
}

/** The changed fields of a record, newest first, with their previous and new values. */
export function History({ of, id }: HistoryProps) {
  const [field, setField] = useState('')
  const [page, goTo] = useState(1)
  const query = { ...onePage(page, PAGE_SIZE), ...(field && { field }) }
  const history = useQuery(queries.history(of, id, query))
  // For the codes of theses.
  useQuery({ ...queries.theses(), enabled: of === 'company' })
  const headingId = useId()
  const choose = (chosen: string) => {
    setField(chosen)
    goTo(1)
  }
  const fieldsOf = of === 'deal' || of === 'person' ? of : 'company'
  const options = FIELDS[of].map((value) => ({ value, label: capitalized(fieldName(value, fieldsOf)) }))
  return (
    <Stack gap="sm" component="section" aria-labelledby={headingId}>
      <Title order={2} size="h5" id={headingId}>
        {strings.title}
      </Title>
      <NativeSelect
        aria-label={strings.field}
        value={field}
        onChange={(event) => choose(event.currentTarget.value)}
        data={[{ value: '', label: strings.allFields }, ...options]}
        maw={240}
      />
      {history.isPending && <SkeletonLines lines={6} height={26} />}
      {history.isError && !history.data && (
        <ErrorState error={history.error} retry={() => history.refetch()} />
      )}
      {history.data?.data.length === 0 && (
        <Text size="sm" c="dimmed">
          {field ? strings.emptyForField : `${strings.empty}. ${strings.emptyHelp}`}
        </Text>
      )}
      {history.data && history.data.data.length > 0 && (
        <HistoryList of={fieldsOf} entries={history.data.data} isStale={history.isPlaceholderData} />
      )}
      <Pages query={history} pages={pageCount(history.data, PAGE_SIZE)} page={page} goTo={goTo} />
    </Stack>
  )
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

import { List, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { strings } from '#strings/actions.ts'
import { strings as activity } from '#strings/activity.ts'
import { fieldQueries } from '#web/api/field-queries.ts'
import { queries } from '#web/api/queries.ts'
import { ScreenLink } from '#web/ui/link.tsx'
import { fieldName, fieldsOfEntity } from './sentence-slots.ts'

interface Skipped {
  entity_type: string
  entity_id: string
  /** null: the whole record. */
  field: string | null
  reason: string
}

interface SkippedRecordsProps {
  title: string
  skipped: Skipped[]
  /** The number of those that the service does not list. */
  omitted: number
  /** The action that is undone. */
  actionId: string
}

const MAX_SHOWN = 100

/** The records that an undo skips, with the reasons. */
export function SkippedRecords({ title, skipped, omitted, actionId }: SkippedRecordsProps) {
  const isOfDeals = skipped.some(({ entity_type }) => entity_type === 'dealflow')
  // For the labels of custom fields.
  useQuery({ ...fieldQueries.fields('company'), enabled: skipped.length > 0 })
  useQuery({ ...fieldQueries.fields('deal'), enabled: isOfDeals })
  const records = useQuery(queries.actionActivity(actionId, 1)).data?.data ?? []
  const names = new Map(records.map(({ entity_id, entity_name }) => [entity_id, entity_name]))
  const hidden = omitted + Math.max(0, skipped.length - MAX_SHOWN)
  return (
    <Stack gap={4} component="section" aria-label={title}>
      <Title order={2} size="h6">
        {title}
      </Title>
      <List size="sm" spacing={4}>
        {skipped.slice(0, MAX_SHOWN).map((one) => (
          <List.Item key={`${one.entity_id} ${one.field}`} className="break-anywhere">
            <RecordLink skipped={one} name={names.get(one.entity_id)} />
            {': '}
            {one.field === null ? strings.wholeRecord : fieldName(one.field, fieldsOfEntity(one.entity_type))}
            {'. '}
            {strings.reasons[one.reason] ?? one.reason}
          </List.Item>
        ))}
      </List>
      {hidden > 0 && (
        <Text size="sm" c="dimmed">
          {strings.moreSkipped(hidden)}
        </Text>
      )}
    </Stack>
  )
}

interface RecordLinkProps {
  skipped: Skipped
  name: string | null | undefined
}

function RecordLink({ skipped: { entity_type, entity_id: id }, name }: RecordLinkProps) {
  const text = name ?? `${activity.recordTypes[entity_type] ?? entity_type} ${id}`
  const style = { size: 'sm', underline: 'always', dir: 'auto' } as const
  if (entity_type === 'company')
    return (
      <ScreenLink to="/companies/$id" params={{ id }} {...style}>
        {text}
      </ScreenLink>
    )
  if (entity_type === 'thesis')
    return (
      <ScreenLink to="/theses/$id" params={{ id }} {...style}>
        {text}
      </ScreenLink>
    )
  if (entity_type === 'person')
    return (
      <ScreenLink to="/people/$id" params={{ id }} {...style}>
        {text}
      </ScreenLink>
    )
  if (entity_type === 'note')
    return (
      <ScreenLink to="/notes/$id" params={{ id }} {...style}>
        {text}
      </ScreenLink>
    )
  return (
    <ScreenLink to="/deals/$id" params={{ id }} {...style}>
      {text}
    </ScreenLink>
  )
}

import { Anchor, Paper, Text, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { CustomFieldEntity } from '#src/client/client.ts'
import { strings as activity } from '#strings/activity.ts'
import { strings } from '#strings/history.ts'
import { fieldQueries } from '#web/api/field-queries.ts'
import { queries } from '#web/api/queries.ts'
import type { HistoryEntry } from '#web/api/service.ts'
import { Age } from '#web/ui/age.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { ScreenLink } from '#web/ui/link.tsx'
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import { formatValue } from './field-value.ts'
import classes from './history-list.module.css'
import { Person } from './person.tsx'
import { fieldName } from './sentence-slots.ts'

interface HistoryListProps {
  /** The records whose custom fields are named. */
  of: CustomFieldEntity
  entries: HistoryEntry[]
  isStale: boolean
}

/** Changed fields with their previous and new values. */
export function HistoryList({ of, entries, isStale }: HistoryListProps) {
  const [whole, showWhole] = useState<HistoryEntry | null>(null)
  // For the labels of custom fields.
  useQuery(fieldQueries.fields(of))
  return (
    <Paper withBorder aria-busy={isStale} style={{ opacity: isStale ? 0.6 : 1 }}>
      <ol className={classes.list}>
        {entries.map((entry) => (
          <Entry
            key={`${entry.activity_id} ${entry.field}`}
            of={of}
            entry={entry}
            showWhole={() => showWhole(entry)}
          />
        ))}
      </ol>
      {whole && <WholeValues of={of} entry={whole} close={() => showWhole(null)} />}
    </Paper>
  )
}

function Entry({
  of,
  entry,
  showWhole,
}: {
  of: CustomFieldEntity
  entry: HistoryEntry
  showWhole: () => void
}) {
  const { data: me } = useQuery(queries.me())
  const { field, from, to, user_email, via, timestamp, action_id: id, truncated } = entry
  return (
    <li className={classes.entry}>
      <Text size="sm" fw={600} component="span" className={classes.field}>
        {fieldName(field, of)}
      </Text>
      <div className={classes.values}>
        <Value label={strings.before} className={classes.previous} text={formatValue(field, from, of)} />
        <span aria-hidden className={classes.arrow}>
          →
        </span>
        <Value label={strings.after} text={formatValue(field, to, of)} />
        {truncated && (
          <Anchor component="button" type="button" size="xs" fw={550} onClick={showWhole}>
            {strings.showWhole}
          </Anchor>
        )}
      </div>
      <Text size="xs" c="dimmed" component="div" className={classes.origin}>
        <Person email={user_email} me={me?.email} startsSentence />
        {via && via !== 'request' && ` · ${activity.vias[via] ?? via}`}
        {' · '}
        {id === null ? (
          <Age timestamp={timestamp} span />
        ) : (
          <ScreenLink to="/activity/actions/$id" params={{ id }} inherit underline="always" c="dimmed">
            <Age timestamp={timestamp} span />
            <VisuallyHidden>. {activity.viewAction}</VisuallyHidden>
          </ScreenLink>
        )}
      </Text>
    </li>
  )
}

interface ValueProps {
  /** For assistive technology. */
  label: string
  text: string
  className?: string | undefined
}

function Value({ label, text, className }: ValueProps) {
  return (
    <Text size="sm" component="span" className={className} dir="auto" lineClamp={6}>
      <VisuallyHidden>{label}: </VisuallyHidden>
      {text}
    </Text>
  )
}

interface WholeValuesProps {
  of: CustomFieldEntity
  entry: HistoryEntry
  close: () => void
}

/** Both values, however long. */
function WholeValues({ of, entry: { activity_id, field }, close }: WholeValuesProps) {
  const record = useQuery(queries.activityRecord(activity_id))
  const change = record.data?.changes?.[field]
  return (
    <Dialog onClose={close} title={strings.wholeOf(fieldName(field, of))} size="xl">
      {record.isPending && <SkeletonLines lines={8} />}
      {record.isError && <ErrorState error={record.error} retry={() => record.refetch()} />}
      {change &&
        (
          [
            [strings.before, change.from],
            [strings.after, change.to],
          ] as const
        ).map(([label, value]) => (
          <section key={label}>
            <Text size="sm" fw={600} mt="sm">
              {label}
            </Text>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
            <pre className={classes.whole} tabIndex={0} dir="auto">
              {formatValue(field, value, of)}
            </pre>
          </section>
        ))}
    </Dialog>
  )
}

import { ActionIcon, Anchor, Badge, VisuallyHidden } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import type { Filter } from '#src/client/limits.ts'
import { strings as words } from '#strings/activity.ts'
import { strings } from '#strings/timeline.ts'
import { ActivityIcon } from '#web/activity/activity-icon.tsx'
import { ActivitySentence, type OwnRecord } from '#web/activity/activity-sentence.tsx'
import { queries } from '#web/api/queries.ts'
import type { TimelineEntry } from '#web/api/service.ts'
import { useCan } from '#web/api/use-can.ts'
import { filterText } from '#web/filters/tree.ts'
import { formatNumber } from '#web/format/format.ts'
import { Age } from '#web/ui/age.tsx'
import { LazyDialog } from '#web/ui/lazy.tsx'
import { ScreenLink } from '#web/ui/link.tsx'
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx'
import { activityOf } from './entry.ts'
import classes from './timeline.module.css'

const UndoDialog = lazy(() => import('#web/activity/undo-dialog.tsx'))

const MAX_SINGLE = 100

interface ChangeEntryProps {
  entry: TimelineEntry
  own: OwnRecord
  /** The email address of the signed-in user. */
  me: string | undefined
}

/** A change of a record, or several small ones that can be opened. */
export function ChangeEntry({ entry, own, me }: ChangeEntryProps) {
  const [isOpen, setOpen] = useState(false)
  const { count = 1, action_ids = [], undone = false } = entry
  const record = activityOf(entry, own)
  const [actionId] = action_ids.length === 1 ? action_ids : []
  return (
    <li className={classes.change} data-undone={undone || undefined}>
      <ActivityIcon type={record.activity_type} size={28} />
      <div className={classes.sentence}>
        <ActivitySentence record={record} me={me} own={own} />
        {undone && (
          <Badge variant="default" size="sm" ms={6}>
            {strings.undone}
          </Badge>
        )}
        {count > 1 && (
          <>
            {' '}
            <Anchor
              component="button"
              type="button"
              size="xs"
              fw={550}
              aria-expanded={isOpen}
              className="print-hidden"
              onClick={() => setOpen(!isOpen)}
            >
              {isOpen ? strings.hideChanges : strings.showChanges(formatNumber(count))}
            </Anchor>
          </>
        )}
        {isOpen && <SingleChanges entry={entry} own={own} me={me} />}
      </div>
      <div className={classes.side}>
        {actionId && !undone && <UndoButton actionId={actionId} by={entry.user_email} me={me} />}
        <When at={entry.at} actionId={actionId} />
      </div>
    </li>
  )
}

/** The changes that an entry folds, with their undos, newest first. */
function SingleChanges({ entry, own, me }: ChangeEntryProps) {
  const { entity_id, action_ids = [], count = 0 } = entry
  const filter: Filter = {
    and: [
      { field: 'entity_id', op: 'eq', value: entity_id },
      { field: 'action_id', op: 'in', value: action_ids.slice(-MAX_SINGLE) },
    ],
  }
  const activity = useQuery(queries.activity({ filter: filterText(filter), limit: MAX_SINGLE }))
  const records = activity.data?.data ?? []
  if (activity.isPending) return <SkeletonLines lines={3} />
  if (activity.isError) return <ErrorState error={activity.error} retry={() => activity.refetch()} />
  return (
    <>
      <ol className={classes.singles}>
        {records.map((record) => (
          <li key={record.id} className={classes.single}>
            <div className={classes.sentence}>
              <ActivitySentence record={record} me={me} own={own} />
            </div>
            <div className={classes.side}>
              {record.action_id && (
                <UndoButton
                  actionId={record.action_id}
                  by={record.user_email}
                  me={me}
                  isRedo={record.via === 'undo'}
                />
              )}
              <When at={record.timestamp} actionId={record.action_id ?? undefined} />
            </div>
          </li>
        ))}
      </ol>
      {activity.data && records.length < count && (
        <ScreenLink to="/activity" search={{ entity_id }} size="sm">
          {strings.moreChanges(formatNumber(count - records.length))}
        </ScreenLink>
      )}
    </>
  )
}

/** The time of a change, with a link to its action. */
function When({ at, actionId }: { at: string; actionId: string | undefined }) {
  const time = <Age timestamp={at} size="xs" c="dimmed" />
  if (!actionId) return time
  return (
    <ScreenLink to="/activity/actions/$id" params={{ id: actionId }} inherit c="dimmed" size="xs">
      {time}
      <VisuallyHidden>. {words.viewAction}</VisuallyHidden>
    </ScreenLink>
  )
}

interface UndoButtonProps {
  actionId: string
  /** Who did it. */
  by: string | null
  me: string | undefined
  /** Whether it is an undo itself. */
  isRedo?: boolean
}

/** Undoes an action. Those of others need permission to delete. */
function UndoButton({ actionId, by, me, isRedo = false }: UndoButtonProps) {
  const mayWrite = useCan('write')
  const mayDelete = useCan('delete')
  const [isOpen, setOpen] = useState(false)
  if (!mayWrite || !(mayDelete || (by !== null && by === me))) return null
  const close = () => setOpen(false)
  const label = isRedo ? strings.redo : strings.undo
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={24}
        aria-label={label}
        title={label}
        className={classes.undo}
        onClick={() => setOpen(true)}
      >
        <IconArrowBackUp size={15} aria-hidden />
      </ActionIcon>
      {isOpen && (
        <LazyDialog close={close}>
          <UndoDialog id={actionId} isRedo={isRedo} close={close} />
        </LazyDialog>
      )}
    </>
  )
}

import { Alert, Button, Group, Stack } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import { strings as general } from '#strings/general.ts'
import { strings } from '#strings/tasks.ts'
import { errorMessage } from '#web/api/error-message.ts'
import type { Task } from '#web/api/service.ts'
import { formatDate } from '#web/format/format.ts'
import { DateInput } from '#web/ui/date-input/date-input.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { type BulkTaskChanges, useChangeTasks } from './use-task-actions.ts'

interface PostponeDialogProps {
  tasks: readonly Task[]
  /** Called once they are postponed. */
  postponed?: () => void
  close: () => void
}

/** Postpones tasks by a day or a week, or to a day that is typed. */
export default function PostponeDialog({ tasks, postponed, close }: PostponeDialogProps) {
  const [day, setDay] = useState<string | null>(null)
  const change = useChangeTasks(true)
  const postpone = (changes: BulkTaskChanges) =>
    change.mutate(
      { tasks, changes },
      {
        onSuccess: () => {
          close()
          postponed?.()
        },
      },
    )
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    event.stopPropagation()
    if (day !== null && !change.isPending) postpone({ due_on: day })
  }
  return (
    <Dialog onClose={close} title={strings.postponeTitle(strings.which(tasks.map(({ title }) => title)))}>
      <form noValidate onSubmit={submit}>
        <Stack gap="sm">
          <DateInput
            label={strings.newDate}
            placeholder={strings.duePlaceholder}
            value={day}
            onChange={setDay}
            clearable
            autoFocus
            isOnly
          />
          {change.isError && (
            <Alert color="red" role="alert" title={general.notSaved} className="break-anywhere">
              {errorMessage(change.error)}
            </Alert>
          )}
          <Group justify="space-between" gap="xs">
            <Group gap="xs">
              <Button variant="default" onClick={() => postpone({ postpone_days: 1 })}>
                {strings.byDay}
              </Button>
              <Button variant="default" onClick={() => postpone({ postpone_days: 7 })}>
                {strings.byWeek}
              </Button>
            </Group>
            <Button type="submit" disabled={day === null} loading={change.isPending}>
              {day === null ? strings.postpone : strings.moveTo(formatDate(day))}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

import { Button } from '@mantine/core'
import { IconChecklist } from '@tabler/icons-react'
import { strings } from '#strings/tasks.ts'
import { useCan } from '#web/api/use-can.ts'
import { EmptyState } from '#web/ui/states.tsx'
import type { TasksView } from '../tasks-search.ts'

interface NoTasksProps {
  view: TasksView
  isFiltered: boolean
  add: () => void
}

/** Says why the list is empty, and what to do next. */
export function NoTasks({ view, isFiltered, add }: NoTasksProps) {
  const mayWrite = useCan('write')
  const icon = <IconChecklist aria-hidden />
  if (isFiltered)
    return (
      <EmptyState icon={icon} title={strings.noMatch}>
        {strings.noMatchHelp}
      </EmptyState>
    )
  if (view === 'done')
    return (
      <EmptyState icon={icon} title={strings.noneDone}>
        {strings.noneDoneHelp}
      </EmptyState>
    )
  return (
    <EmptyState
      icon={icon}
      title={view === 'mine' ? strings.noneTitle : strings.noneOfAll}
      action={mayWrite && <Button onClick={add}>{strings.newTask}</Button>}
    >
      {strings.none} {mayWrite && <span className="needs-keyboard">{strings.noneKeys}</span>}
    </EmptyState>
  )
}

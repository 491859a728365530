import { Group, Stack, Text, Title } from '@mantine/core'
import type { Task } from '#web/api/service.ts'
import { formatNumber } from '#web/format/format.ts'
import type { SetSelected } from '#web/lists/select-record.tsx'
import type { SelectedTasks } from '../hooks/use-selected-tasks.ts'
import type { TaskGroup } from '../task-groups.ts'
import { TaskRow } from './task-row.tsx'
import classes from './tasks.module.css'

interface TaskGroupsProps {
  groups: readonly TaskGroup[]
  isStale: boolean
  selected: SelectedTasks
  setSelected: SetSelected | undefined
  /** Whether the tasks may be of several people. */
  showsAssignee: boolean
  setDone: (task: Task, isDone: boolean) => void
}

/** The tasks under their headings. */
export function TaskGroups(props: TaskGroupsProps) {
  const { groups, isStale, selected, setSelected, showsAssignee, setDone } = props
  return (
    <Stack
      gap="md"
      maw="72rem"
      aria-busy={isStale}
      style={{ opacity: isStale ? 0.6 : 1 }}
      className={selected.tasks.length > 0 ? (classes.selecting ?? '') : ''}
    >
      {groups.map(({ key, title, count, tasks }) => (
        <section key={key} aria-label={title} className={classes.group}>
          <Group gap={6} align="baseline">
            <Title order={2} size="h6" className={classes.heading} data-late={key === 'overdue' || undefined}>
              {title}
            </Title>
            <Text span size="xs" c="dimmed">
              {formatNumber(count)}
            </Text>
          </Group>
          <ul className={classes.list}>
            {tasks.map((task) => (
              <TaskRow
                key={task.id}
                task={task}
                isSelected={selected.has(task.id)}
                setSelected={setSelected}
                showsAssignee={showsAssignee}
                setDone={(isDone) => setDone(task, isDone)}
              />
            ))}
          </ul>
        </section>
      ))}
    </Stack>
  )
}

import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { strings } from '#strings/home.ts'
import { AboutLinks } from '#web/activity/record-links.tsx'
import type { Task } from '#web/api/service.ts'
import { DueText } from '#web/tasks/due-text.tsx'
import { TaskDialog } from '#web/tasks/lazy-dialogs.ts'
import { TaskCheck } from '#web/tasks/task-check.tsx'
import { RepeatSign } from '#web/tasks/task-facts.tsx'
import { useFinishedTasks } from '#web/tasks/use-finished-tasks.ts'
import { useFinishTasks } from '#web/tasks/use-task-actions.ts'
import { withFinished } from '#web/tasks/with-finished.ts'
import { LazyDialog } from '#web/ui/lazy.tsx'
import { ScreenLink } from '#web/ui/link.tsx'
import { homeQueries } from '../home-queries.ts'
import { ListPanel } from './list-panel.tsx'
import classes from './tasks-panel.module.css'

/** The user's overdue tasks and those of today. What is finished stays, struck through, until Home is left. */
export function TasksPanel() {
  const query = useQuery(homeQueries.tasks())
  const [finished, keepFinished] = useFinishedTasks()
  const { mutate: finish } = useFinishTasks(keepFinished)
  const [opened, setOpened] = useState<string | null>(null)
  const close = () => setOpened(null)
  return (
    <>
      <ListPanel
        title={strings.tasks}
        query={query}
        rows={query.data && withFinished(query.data.data, finished)}
        empty={strings.nothingDue}
        link={
          <ScreenLink to="/tasks" size="sm">
            {strings.allTasks}
          </ScreenLink>
        }
      >
        {(task) => (
          <TaskRow
            key={task.id}
            task={task}
            open={() => setOpened(task.id)}
            setDone={(isDone) => finish({ tasks: [task], isDone })}
          />
        )}
      </ListPanel>
      {opened && (
        <LazyDialog close={close}>
          <TaskDialog id={opened} close={close} />
        </LazyDialog>
      )}
    </>
  )
}

interface TaskRowProps {
  task: Task
  open: () => void
  setDone: (isDone: boolean) => void
}

function TaskRow({ task, open, setDone }: TaskRowProps) {
  const isDone = task.done_at !== null
  return (
    <li className={classes.row} data-task={task.id}>
      <TaskCheck task={task} setDone={setDone} />
      <span className={classes.text}>
        <Anchor
          component="button"
          type="button"
          inherit
          c="var(--mantine-color-text)"
          ta="start"
          mih={24}
          dir="auto"
          td={isDone ? 'line-through' : undefined}
          onClick={open}
        >
          {task.title}
        </Anchor>
        {task.about.length > 0 && (
          <Text span size="xs" c="dimmed">
            <AboutLinks about={task.about} />
          </Text>
        )}
        <RepeatSign task={task} />
      </span>
      <DueText due={task} isDone={isDone} size="xs" />
    </li>
  )
}

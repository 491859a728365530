import { ActionIcon, Menu } from '@mantine/core'
import { IconClockPause, IconDots, IconHistory, IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { strings } from '#strings/tasks.ts'
import type { Task } from '#web/api/service.ts'
import { AnchoredMenu, type OverlayProps, overlayButton } from '#web/ui/anchored.tsx'
import { LazyDialog } from '#web/ui/lazy.tsx'
import { PostponeDialog, TaskDialog, TaskHistory } from './lazy-dialogs.ts'
import { useMayChangeTasks } from './use-may-change-task.ts'
import { useDeleteTask } from './use-task-actions.ts'

type OpenDialog = 'edit' | 'postpone' | 'history'

interface MenuItemsProps {
  task: Task
  open: (dialog: OpenDialog) => void
}

function TaskMenuItems({ task, open, ...menu }: MenuItemsProps & OverlayProps) {
  const mayChange = useMayChangeTasks()(task)
  const { mutate: remove } = useDeleteTask()
  return (
    <AnchoredMenu {...menu} position="bottom-end" withinPortal>
      <Menu.Dropdown>
        {mayChange && (
          <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => open('edit')}>
            {strings.edit}
          </Menu.Item>
        )}
        {mayChange && task.done_at === null && (
          <Menu.Item leftSection={<IconClockPause size={16} aria-hidden />} onClick={() => open('postpone')}>
            {strings.postpone}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconHistory size={16} aria-hidden />} onClick={() => open('history')}>
          {strings.history}
        </Menu.Item>
        {mayChange && (
          <Menu.Item leftSection={<IconTrash size={16} aria-hidden />} onClick={() => remove(task)}>
            {strings.delete}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </AnchoredMenu>
  )
}

const TaskMenuButton = overlayButton('menu', TaskMenuItems)

/** What can be done with a task. Deleting shows a notice with Undo. */
export function TaskMenu({ task }: { task: Task }) {
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const close = () => setDialog(null)
  return (
    <>
      <TaskMenuButton task={task} open={setDialog}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={24}
          className="print-hidden"
          aria-label={strings.more(task.title)}
        >
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </TaskMenuButton>
      {dialog && (
        <LazyDialog close={close}>
          {dialog === 'edit' && <TaskDialog task={task} close={close} />}
          {dialog === 'postpone' && <PostponeDialog tasks={[task]} close={close} />}
          {dialog === 'history' && <TaskHistory task={task} close={close} />}
        </LazyDialog>
      )}
    </>
  )
}

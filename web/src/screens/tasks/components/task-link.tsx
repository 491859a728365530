import type { Task } from '#web/api/service.ts'
import { ScreenLink } from '#web/ui/link.tsx'

interface TaskLinkProps {
  task: Pick<Task, 'id' | 'title' | 'about'>
  className: string | undefined
}

/** The title of a task. It leads to the first record that the task is about; without one, to the task itself. */
export function TaskLink({ task: { id, title, about }, className = '' }: TaskLinkProps) {
  const [record] = about
  const link = {
    ...{ inherit: true, c: 'inherit', dir: 'auto', className: `break-anywhere ${className}` },
    ...{ 'data-record': id, children: title },
  } as const
  if (record?.type === 'company')
    return <ScreenLink to="/companies/$id" params={{ id: record.id }} {...link} />
  if (record?.type === 'deal') return <ScreenLink to="/deals/$id" params={{ id: record.id }} {...link} />
  if (record?.type === 'person') return <ScreenLink to="/people/$id" params={{ id: record.id }} {...link} />
  if (record?.type === 'thesis') return <ScreenLink to="/theses/$id" params={{ id: record.id }} {...link} />
  return (
    <ScreenLink
      to="/tasks"
      search={(before: object) => ({ ...before, task: id })}
      resetScroll={false}
      {...link}
    />
  )
}

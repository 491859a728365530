import { IconRepeat } from '@tabler/icons-react'
import { strings } from '#strings/tasks.ts'
import type { Task } from '#web/api/service.ts'

/** The sign of a task that repeats, or that is due after some days without contact. */
export function RepeatSign({ task: { repeat, unless_contact_days } }: { task: Task }) {
  const label =
    unless_contact_days === null
      ? repeat && strings.repeated(repeat)
      : strings.unlessSpoke(unless_contact_days)
  if (!label) return null
  return (
    <span role="img" aria-label={label} title={label}>
      <IconRepeat size={14} aria-hidden style={{ verticalAlign: '-0.15em' }} />
    </span>
  )
}

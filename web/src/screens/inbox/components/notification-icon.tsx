import { ThemeIcon } from '@mantine/core'
import {
  IconAlarm,
  IconArrowRight,
  IconAt,
  IconBolt,
  IconClockExclamation,
  IconFileImport,
  IconGavel,
  IconNote,
  IconShieldX,
  IconSparkles,
  IconTable,
  IconUserCheck,
  IconUserX,
} from '@tabler/icons-react'
import type { Notification } from '#web/api/service.ts'

const ICONS: Record<Notification['kind'], [Icon: typeof IconBolt, color: string]> = {
  mentioned: [IconAt, 'ink'],
  assigned: [IconUserCheck, 'ink'],
  task_due: [IconAlarm, 'ink'],
  task_overdue: [IconClockExclamation, 'red'],
  task_returned: [IconUserX, 'ink'],
  deal_moved: [IconArrowRight, 'gray'],
  vote_asked: [IconGavel, 'ink'],
  note_added: [IconNote, 'gray'],
  file_infected: [IconShieldX, 'red'],
  view_has_new: [IconTable, 'gray'],
  import_ended: [IconFileImport, 'gray'],
  bulk_action_ended: [IconSparkles, 'gray'],
}

/** What kind of notification it is. Decorative: the sentence beside it says the same. */
export function NotificationIcon({ kind }: { kind: Notification['kind'] }) {
  // A newer service may send kinds that this page does not know.
  const [Icon, color] = ICONS[kind] ?? [IconBolt, 'gray']
  return (
    <ThemeIcon variant="light" color={color} size={28} radius="xl" aria-hidden>
      <Icon size={16} stroke={1.8} />
    </ThemeIcon>
  )
}

import { Badge } from '@mantine/core'
import { IconBan, IconCheck, IconClock, IconPlayerPlay, IconX } from '@tabler/icons-react'
import { strings } from '#strings/bulk-actions.ts'
import { formatWord } from '#web/format/format.ts'

const ICONS: Record<string, { color: string; Icon: typeof IconCheck }> = {
  pending: { color: 'gray', Icon: IconClock },
  running: { color: 'blue', Icon: IconPlayerPlay },
  completed: { color: 'teal', Icon: IconCheck },
  failed: { color: 'red', Icon: IconX },
  cancelled: { color: 'gray', Icon: IconBan },
}

export const statusName = (status: string): string =>
  (strings.statuses as Record<string, string | undefined>)[status] ?? formatWord(status)

export function StatusBadge({ status }: { status: string }) {
  const { color, Icon } = ICONS[status] ?? { color: 'gray', Icon: IconClock }
  return (
    <Badge
      color={color}
      variant="light"
      radius="sm"
      tt="none"
      leftSection={<Icon size={12} aria-hidden />}
      style={{ flexShrink: 0 }}
    >
      {statusName(status)}
    </Badge>
  )
}

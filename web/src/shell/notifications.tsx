import { Notifications } from '@mantine/notifications'
import { useNoticePosition } from './hooks/use-notice-position.ts'

const POSITION = 'bottom-right'
const CLASS = 'notices'

/** All notices, one above the other, where they cover no control. */
export default function PlacedNotifications() {
  useNoticePosition(`.${CLASS}[data-position="${POSITION}"]`)
  return <Notifications position={POSITION} limit={2} className={CLASS} />
}

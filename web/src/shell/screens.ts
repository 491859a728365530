import {
  IconActivity,
  IconAddressBook,
  IconBuildingFactory2,
  IconBulb,
  IconChecklist,
  IconCopy,
  IconDatabaseExport,
  IconFiles,
  IconGavel,
  IconHome,
  IconInbox,
  IconLayoutKanban,
  IconNotes,
  IconSettings,
  IconShieldLock,
  IconStack2,
  IconTrash,
  IconUsers,
} from '@tabler/icons-react'
import { strings } from '#strings/general.ts'
import { strings as inbox } from '#strings/inbox.ts'
import { useCan } from '#web/api/use-can.ts'

const DAILY = [
  { to: '/home', label: strings.home, Icon: IconHome, keys: ['g h'] },
  { to: '/inbox', label: inbox.title, Icon: IconInbox, keys: ['g o'] },
  { to: '/companies', label: strings.companies, Icon: IconBuildingFactory2, keys: ['g c'] },
  { to: '/people', label: strings.people, Icon: IconAddressBook, keys: ['g e'] },
  { to: '/pipeline', label: strings.pipeline, Icon: IconLayoutKanban, keys: ['g p'] },
  { to: '/theses', label: strings.theses, Icon: IconBulb, keys: ['g t'] },
  { to: '/tasks', label: strings.tasks, Icon: IconChecklist, keys: ['g k'] },
  { to: '/notes', label: strings.notes, Icon: IconNotes, keys: ['g n'] },
  { to: '/files', label: strings.files, Icon: IconFiles, keys: ['g f'] },
  { to: '/decisions', label: strings.decisions, Icon: IconGavel, keys: ['g i'] },
] as const
const RECORDS = [
  { to: '/bulk-actions', label: strings.bulkActions, Icon: IconStack2, keys: ['g b'] },
  { to: '/activity', label: strings.activity, Icon: IconActivity, keys: ['g a'] },
  { to: '/duplicates', label: strings.duplicates, Icon: IconCopy, keys: ['g d'] },
  { to: '/trash', label: strings.trash, Icon: IconTrash, keys: ['g x'] },
] as const
const SETTINGS = { to: '/settings', label: strings.settings, Icon: IconSettings, keys: ['g s'] } as const
const USERS = { to: '/admin/users', label: strings.users, Icon: IconUsers, keys: ['g u'] } as const
const AUDIT = { to: '/admin/audit', label: strings.audit, Icon: IconShieldLock, keys: ['g l'] } as const
const BACKUPS = {
  to: '/admin/backups',
  label: strings.backups,
  Icon: IconDatabaseExport,
  keys: ['g r'],
} as const

export type Screen =
  | (typeof DAILY)[number]
  | (typeof RECORDS)[number]
  | typeof SETTINGS
  | typeof USERS
  | typeof AUDIT
  | typeof BACKUPS

/** The screens that the user may open, in sections. */
export function useScreens(): (readonly Screen[])[] {
  const mayManageUsers = useCan('manage_users')
  const mayAudit = useCan('audit')
  const mayBackUp = useCan('backup')
  const settings = [
    SETTINGS,
    ...(mayManageUsers ? [USERS] : []),
    ...(mayAudit ? [AUDIT] : []),
    ...(mayBackUp ? [BACKUPS] : []),
  ]
  return [DAILY, RECORDS, settings]
}

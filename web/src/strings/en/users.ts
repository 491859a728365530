import { formatNumber } from '#web/format/format.ts'

const notes = (count: number): string => (count === 1 ? '1 note' : `${formatNumber(count)} notes`)
const files = (count: number): string => (count === 1 ? '1 file' : `${formatNumber(count)} files`)

/** Text for managing users. */
export const strings = {
  title: 'Users',
  count: (shown: number, total: number) =>
    shown === total ? (total === 1 ? '1 user' : `${total} users`) : `${shown} of ${total} users`,
  notPermitted: 'You need permission to manage users. Only admins have it.',
  search: 'Search users',
  searchPlaceholder: 'Name or email address',
  clearSearch: 'Clear search',
  user: 'User',
  role: 'Role',
  status: 'Status',
  since: 'Member since',
  actions: 'Actions',
  you: 'You',
  active: 'Active',
  disabled: 'Disabled',
  roles: { viewer: 'Viewer', member: 'Member', partner: 'Partner', admin: 'Admin' },
  roleOf: (user: string) => `Role of ${user}`,
  roleTitle: 'Change this role?',
  roleHelp: (user: string, role: string) => `${user} becomes ${role}.`,
  roleAllows: {
    viewer: 'Viewers read everything, and export up to 10,000 rows.',
    member: 'Members also create and change records, import, and start bulk actions.',
    partner: 'Partners also change and export any number of records.',
    admin: 'Admins also manage users and read the audit log.',
  },
  ownRole: 'You may lose access to this page.',
  roleConfirm: 'Change role',
  roleChanged: 'Role changed.',
  disable: 'Disable',
  disableOne: (user: string) => `Disable ${user}`,
  disableTitle: 'Disable this user?',
  disableHelp: (user: string) =>
    `${user} is signed out everywhere within a second, and their API keys stop working. Their records are kept.`,
  disableConfirm: 'Disable user',
  disabledNow: 'User disabled.',
  enable: 'Enable',
  enableOne: (user: string) => `Enable ${user}`,
  enableTitle: 'Enable this user?',
  enableHelp: (user: string) => `${user} can sign in again, and their API keys work again.`,
  enableConfirm: 'Enable user',
  enabledNow: 'User enabled.',
  transfer: 'Transfer private records',
  transferOne: (user: string) => `Transfer private records of ${user}`,
  transferTitle: 'Transfer private notes and files?',
  transferHelp: (user: string) =>
    `The private notes and files of ${user} go to another user, who can then open them. The audit log records the transfer.`,
  transferConfirm: 'Transfer',
  newOwner: 'New owner',
  chooseUser: 'Choose a user',
  transferred: (ofNotes: number, ofFiles: number, user: string) =>
    ofNotes + ofFiles === 0
      ? 'There were no private notes or files.'
      : `Transferred ${notes(ofNotes)} and ${files(ofFiles)} to ${user}.`,
  empty: 'No users yet',
  emptyHelp: 'Users appear here after they first sign in.',
  noMatch: 'No matching users',
  noMatchHelp: 'Check the spelling, or search for a part of the email address.',
}

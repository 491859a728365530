import { formatNumber } from '#web/format/format.ts'

const PLURALS = { company: 'companies', deal: 'deals', person: 'people' }
type Entity = keyof typeof PLURALS

const records = (count: number, entity: Entity): string =>
  count === 1 ? `1 ${entity}` : `${formatNumber(count)} ${PLURALS[entity]}`

/** Text of Settings → Fields. */
export const strings = {
  title: 'Fields',
  description:
    'Your own fields for companies, deals, and people. Everyone who can read records can read them.',
  readOnly: 'Your role can see fields but not change them. Partners and admins can.',
  entities: 'Records',
  entity: { company: 'Companies', deal: 'Deals', person: 'People' },
  count: (count: number, max: number) =>
    `${formatNumber(count)} of ${formatNumber(max)} fields, archived ones included`,
  limitReached: (max: number) =>
    `There are ${formatNumber(max)} fields, which is the limit. Delete an archived field to make room.`,
  create: 'New field',
  createTitle: {
    company: 'New field for companies',
    deal: 'New field for deals',
    person: 'New field for people',
  },
  editTitle: 'Edit field',
  table: 'Custom fields',
  label: 'Label',
  type: 'Type',
  key: 'Key',
  options: 'Options',
  currency: 'Currency',
  required: 'Required',
  archived: 'Archived',
  actions: 'Actions',
  actionsFor: (label: string) => `Actions for ${label}`,
  empty: {
    company: 'No custom fields for companies yet',
    deal: 'No custom fields for deals yet',
    person: 'No custom fields for people yet',
  },
  emptyHelp: 'For example, a batch, a region, or the date of the next call.',
  labelRequired: 'Enter a label.',
  labelHelp: 'You can change it at any time.',
  keyHelp: 'Used in the API, filters, and CSV files. You cannot change it later.',
  keyInvalid: 'Use lowercase letters, digits, and underscores, starting with a letter.',
  typeHelp: 'You cannot change it later.',
  currencyHelp: 'A code such as EUR or USD.',
  currencyInvalid: 'Enter a code of three capital letters.',
  requiredHelp:
    'New records need a value, and existing values cannot be cleared. Records that have no value yet can stay empty.',
  option: (row: number) => `Option ${row}`,
  addOption: 'Add option',
  moveUp: (label: string) => `Move ${label} up`,
  moveDown: (label: string) => `Move ${label} down`,
  removeOption: (label: string) => `Remove ${label}`,
  optionsHelp: (max: number) => `Up to ${max}. Records keep their values when you rename an option.`,
  createButton: 'Create field',
  save: 'Save',
  cannotSave: 'Not saved',
  conflict:
    'Someone else changed this field after you opened it. Close this dialog and open it again to see the change.',
  optionsInUse: (label: string, count: string) =>
    `${count} an option of ${label} that you removed. Saving removes it from them. This cannot be undone.`,
  removeValues: 'Save and remove values',
  edit: 'Edit',
  archive: 'Archive',
  unarchive: 'Unarchive',
  delete: 'Delete…',
  created: (label: string) => `Field ${label} created.`,
  saved: (label: string) => `Field ${label} saved.`,
  archivedNow: (label: string) => `Field ${label} archived. Its values are kept.`,
  unarchivedNow: (label: string) => `Field ${label} unarchived.`,
  deletedNow: (label: string) => `Field ${label} deleted.`,
  deleteTitle: (label: string) => `Delete the field ${label}?`,
  deleteCounting: 'Counting its values…',
  deleteEmpty: (entity: Entity) => `No ${entity} has a value.`,
  deleteValues: (count: number, entity: Entity) => `This removes the values of ${records(count, entity)}.`,
  deleteHelp:
    'Records in the trash lose their values too. This cannot be undone. The history keeps earlier changes.',
  deleteButton: 'Delete field',
  deleteWithValues: (count: number) =>
    count === 1 ? 'Delete field and 1 value' : `Delete field and ${formatNumber(count)} values`,
}

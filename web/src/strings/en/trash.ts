import { formatNumber } from '#web/format/format.ts'

const companies = (count: number): string => (count === 1 ? '1 company' : `${formatNumber(count)} companies`)
const deals = (count: number): string => (count === 1 ? '1 deal' : `${formatNumber(count)} deals`)

/** Text of deleting, restoring, and permanently deleting records. */
export const strings = {
  title: 'Trash',
  description: (total: number) =>
    total === 1 ? '1 deleted record' : `${formatNumber(total)} deleted records`,
  emptyTitle: 'The trash is empty',
  empty:
    'Deleted companies, people, deals, theses, notes, decisions, tasks, and files stay here until they are restored or permanently deleted.',
  emptyForType: 'No deleted records of this type',
  type: 'Record type',
  all: 'All',
  types: {
    company: 'Companies',
    dealflow: 'Deals',
    thesis: 'Theses',
    person: 'People',
    note: 'Notes',
    decision: 'Decisions',
    task: 'Tasks',
    file: 'Files',
  } as Record<string, string>,
  kinds: {
    company: 'Company',
    dealflow: 'Deal',
    thesis: 'Thesis',
    person: 'Person',
    note: 'Note',
    decision: 'Decision',
    task: 'Task',
    file: 'File',
  } as Record<string, string>,
  name: 'Name',
  deletedBy: 'Deleted by',
  deleted: 'Deleted',
  keptUntil: 'Kept until',
  always: 'Forever',
  actions: 'Actions',
  withDeals: (count: number) => `with ${deals(count)}`,
  restore: 'Restore',
  restoreOne: (name: string) => `Restore ${name}`,
  purge: 'Delete permanently',
  purgeOne: (name: string) => `Delete permanently: ${name}`,
  purgeTitle: (name: string) => `Permanently delete ${name}?`,
  purgeHelp:
    'This cannot be undone. The record, its deals, its files, and the values in its history are removed.',
  purgeConfirm: 'Delete permanently',

  inTrashTitle: 'In the trash',
  inTrash: 'This record was deleted. It can be restored until it is permanently deleted.',
  viewTrash: 'View the trash',

  delete: 'Delete',
  more: 'More actions',
  findDuplicates: 'Possible duplicates',
  deleteCompany: 'Delete company',
  deleteCompanyTitle: (name: string) => `Delete ${name}?`,
  deleteCompanyHelp: (count: number) =>
    `The company moves to the trash with ${count > 0 ? `its ${deals(count)}, ` : ''}its files, and its entries in bulk actions.`,
  deleteCompaniesHelp: (count: number) =>
    `${count === 1 ? 'The company moves' : 'They move'} to the trash with all deals, files, and entries in bulk actions.`,
  deleteCompanies: (count: number) => `Delete ${companies(count)}`,
  deleteDeal: 'Delete deal',
  deleteDealTitle: (name: string) => `Delete the deal with ${name}?`,
  deleteDealHelp: 'The deal moves to the trash with its notes. The company is kept.',
  deleteThesis: 'Delete thesis',
  deleteThesisTitle: (code: string) => `Delete thesis ${code}?`,
  deleteThesisHelp:
    'The thesis moves to the trash with its report. Its companies will have no thesis until it is restored.',
  canRestore: 'You can undo this, or restore it from the trash later.',
}

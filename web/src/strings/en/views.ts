import { truncate } from '#src/client/limits.ts'
import { formatList, formatNumber } from '#web/format/format.ts'

const RECORDS = { company: 'companies', deal: 'deals', thesis: 'theses', person: 'people' }
type Entity = keyof typeof RECORDS

const USED_IN = { filter: 'filter', sort: 'sort order', columns: 'columns' }

/** Text of saved views. */
export const strings = {
  views: 'Views',
  viewsOf: {
    company: 'Views of companies',
    deal: 'Views of deals',
    thesis: 'Views of theses',
    person: 'Views of people',
  },
  all: { company: 'All companies', deal: 'All deals', thesis: 'All theses', person: 'All people' },
  moreViews: (count: number) => `${count} more`,
  shared: 'Shared',
  changed: 'Unsaved changes',
  newRecords: (count: number) => `${formatNumber(count)} new since you last looked`,
  isNew: 'New since you last looked',
  viewMenu: (name: string) => `Options for the view ${name}`,
  notLoaded: (why: string) => `Views could not be loaded. ${why}`,

  save: 'Save',
  saveAs: 'Save as…',
  saveAsView: 'Save as view…',
  reset: 'Reset',
  copyOf: (name: string) => `${truncate(name, 93)} (copy)`,
  rename: 'Rename or share…',
  share: 'Share with everyone',
  makePrivate: 'Make private',
  setDefault: 'Open by default',
  unsetDefault: 'Do not open by default',
  moveLeft: 'Move left',
  moveRight: 'Move right',
  markSeen: (count: number) => `Mark ${formatNumber(count)} new as seen`,
  delete: 'Delete…',

  saveTitle: 'Save as a new view',
  renameTitle: 'Rename view',
  name: 'Name',
  shareWithEveryone: 'Share with everyone',
  shareHelp: 'Everyone can open it. Only you and admins can change it.',

  conflictTitle: 'This view was saved after you opened it',
  conflict: (name: string, email: string, age: string) =>
    `${email} saved "${name}" ${age}. Save your changes as a new view, or overwrite the parts that you also changed.`,
  overwrite: 'Overwrite',

  deleteTitle: 'Delete view',
  deleteConfirm: 'Delete view',
  deletePrivate: (name: string, of: Entity) =>
    `"${name}" will be deleted permanently. The ${RECORDS[of]} are not affected.`,
  deleteShared: (name: string, of: Entity) =>
    `"${name}" will be deleted permanently, for everyone. The ${RECORDS[of]} are not affected.`,

  noSuchView: 'This view does not exist, or it is not shared with you.',
  missing: (parts: readonly string[]) =>
    `This view refers to things that no longer exist: ${formatList(parts)}. The rest of it still works.`,
  missingPart: (
    kind: 'field' | 'thesis' | 'tag' | 'option',
    name: string,
    usedIn: readonly (keyof typeof USED_IN)[],
  ) =>
    `${kind === 'option' ? 'an option of' : `the ${kind}`} ${name} (${formatList(usedIn.map((part) => USED_IN[part]))})`,
  removeMissing: 'Remove from view',
}

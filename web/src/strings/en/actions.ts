import { formatNumber } from '#web/format/format.ts'

const companies = (count: number): string => (count === 1 ? '1 company' : `${formatNumber(count)} companies`)
const deals = (count: number): string => (count === 1 ? '1 deal' : `${formatNumber(count)} deals`)
const records = (count: number): string => (count === 1 ? '1 record' : `${formatNumber(count)} records`)

const people = (count: number): string => (count === 1 ? '1 person' : `${formatNumber(count)} people`)

const tasks = (count: number): string => (count === 1 ? '1 task' : `${formatNumber(count)} tasks`)

/** A name such as Nordlys B.V. ends the sentence with its own period. */
const ended = (sentence: string): string => (sentence.endsWith('.') ? sentence : `${sentence}.`)

/** Text of actions: their notices, their page, and undoing them. */
export const strings = {
  undo: 'Undo',
  redo: 'Redo',
  undoThis: 'Undo this action',
  redoThis: 'Redo this action',
  undoing: 'Undoing…',
  details: 'Details',
  aCompany: 'Company',
  aPerson: 'Person',
  theCompany: 'the company',
  aThesis: 'Thesis',
  aDeal: 'Deal',
  aTask: 'Task',
  created: (name: string) => `${name} created.`,
  dealCreated: (name: string) => `Deal with ${name} created.`,
  thesisCreated: (code: string) => `Thesis ${code} created.`,
  updated: (fields: string, name: string) => ended(`Updated ${fields} for ${name}`),
  dealUpdated: (fields: string, name: string) => ended(`Updated ${fields} for the deal with ${name}`),
  thesisUpdated: (code: string) => `Thesis ${code} saved.`,
  moved: (name: string, stage: string) => `${name} moved to ${stage}.`,
  dealsMoved: (count: number, stage: string) => `${deals(count)} moved to ${stage}.`,
  dealsUpdated: (updated: number, unchanged: number) =>
    unchanged === 0
      ? `${deals(updated)} updated.`
      : `${deals(updated)} updated, ${formatNumber(unchanged)} already up to date.`,
  bulkUpdated: (updated: number, unchanged: number) =>
    unchanged === 0
      ? `${companies(updated)} updated.`
      : `${companies(updated)} updated, ${formatNumber(unchanged)} already up to date.`,
  imported: (changed: number) => `${companies(changed)} imported.`,
  noteSaved: (name: string) => `${name} saved.`,
  taskSaved: (title: string) => `Saved “${title}”.`,
  taskFinished: (title: string) => `Finished “${title}”.`,
  nextTask: 'The next one is scheduled.',
  nextTaskDue: (due: string) => `The next one is due ${due}.`,
  taskReopened: (title: string) => `Reopened “${title}”.`,
  tasksFinished: (count: number) => `${tasks(count)} finished.`,
  tasksUpdated: (count: number) => `${tasks(count)} updated.`,
  tasksDeleted: (count: number) => `${tasks(count)} moved to the trash.`,
  deleted: (name: string) => `${name} moved to the trash.`,
  companiesDeleted: (count: number) => `${companies(count)} moved to the trash.`,
  merged: (count: number, name: string) => ended(`${companies(count)} merged into ${name}`),
  peopleMerged: (count: number, name: string) => ended(`${people(count)} merged into ${name}`),
  linkChanged: (person: string, company: string) => `Changed the link of ${person} to ${ended(company)}`,
  linkSaved: (person: string, company: string) => `${person} is linked to ${ended(company)}`,
  unlinked: (person: string, company: string) => `${person} removed from ${ended(company)}`,
  restored: (count: number) => `${records(count)} restored.`,
  tagRenamed: (from: string, to: string, count: number) => `${from} is now ${to} for ${companies(count)}.`,
  tagRemoved: (name: string) => `Tag ${name} removed.`,
  purged: 'Permanently deleted.',
  undone: (count: number) => (count === 1 ? 'Change undone.' : `Changes to ${records(count)} undone.`),
  undonePartly: (count: number, skipped: number) =>
    `Changes to ${records(count)} undone, ${formatNumber(skipped)} left unchanged.`,

  action: 'Action',
  notFoundTitle: 'Action not found',
  notFound: 'Check the link, or look for it in the activity log.',
  allActivity: 'All activity',
  kinds: {
    create: 'Creation',
    update: 'Change',
    bulk_update: 'Bulk change',
    import: 'Import',
    bulk_action: 'Bulk action',
    merge: 'Merge',
    delete: 'Deletion',
    restore: 'Restoration',
    purge: 'Permanent deletion',
    undo: 'Undo',
  } as Record<string, string>,
  by: 'by',
  records,
  wasUndone: 'This action has been undone',
  viewUndo: 'View the undo',
  isUndo: 'This action undid another one',
  viewUndone: 'View that action',
  stillUndoing: 'It is still running.',
  changesUndone: (count: number) => `Changes to ${records(count)} undone.`,
  skippedTitle: 'Left unchanged',
  wholeRecord: 'the whole record',
  reasons: {
    changed_since: 'It has changed since.',
    in_trash: 'The record is in the trash.',
    purged: 'The record was permanently deleted.',
    code_taken: 'Another thesis now uses this code.',
    company_missing: 'The company is in the trash or was permanently deleted.',
    merged: 'It has been merged into another record.',
    survivor_missing: 'The record it was merged into is in the trash or has been merged into another one.',
    thesis_missing: 'The thesis is in the trash or was permanently deleted.',
    record_missing: 'A record that it refers to is in the trash, merged, or permanently deleted.',
    built_on:
      'Others have changed it, added to it, linked it, or written notes about it since. A partner can remove it.',
    too_many_records: 'It has more than 1,000 companies. A partner can remove it.',
    not_yours: 'Only the author of the note may change who can see it.',
  } as Record<string, string>,
  moreSkipped: (count: number) => `${formatNumber(count)} more are not listed.`,
  changes: 'Changes',
  noChanges: 'No activity records',

  undoTitle: 'Undo this action?',
  redoTitle: 'Redo the undone action?',
  undoHelp:
    'Old values and deleted records are restored, and created records go to the trash. You can undo this, too.',
  checking: 'Checking what would change…',
  wouldUndo: (count: number) => `Changes to ${records(count)} will be undone.`,
  wouldUndoNothing: 'Nothing can be undone.',
  wouldSkip: (count: number) =>
    `${formatNumber(count)} ${count === 1 ? 'value or record' : 'values or records'} will be left unchanged:`,
}

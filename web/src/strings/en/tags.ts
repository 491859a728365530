import { formatNumber } from '#web/format/format.ts'

const companies = (count: number): string => (count === 1 ? '1 company' : `${formatNumber(count)} companies`)

/** Text of Settings → Tags. */
export const strings = {
  title: 'Tags',
  description: 'A tag exists as long as a company has it.',
  count: (count: number) => (count === 1 ? '1 tag' : `${formatNumber(count)} tags`),
  search: 'Search tags',
  clearSearch: 'Clear search',
  tag: 'Tag',
  companies: 'Companies',
  actions: 'Actions',
  actionsFor: (name: string) => `Actions for ${name}`,
  empty: 'No tags yet',
  emptyHelp: 'Add tags on a company’s page, in the list, or with an import.',
  noMatch: 'No tag contains this text',
  noMatchHelp: 'Try fewer letters.',
  rename: 'Rename…',
  merge: 'Merge into…',
  delete: 'Delete…',
  renameTitle: (name: string) => `Rename the tag ${name}`,
  renameHelp: (count: number) => `Changes the tag for ${companies(count)}.`,
  newName: 'New name',
  willMerge: (name: string, count: number) =>
    `${name} already exists for ${companies(count)}. The two tags become one.`,
  invalidName: 'A tag cannot contain semicolons.',
  renameButton: 'Rename',
  mergeTitle: (name: string) => `Merge the tag ${name} into another`,
  mergeHelp: (name: string, count: number) =>
    `${companies(count)} with ${name} will have the other tag instead.`,
  mergeInto: 'Merge into',
  mergeButton: 'Merge',
  noOther: 'No matches',
  deleteTitle: (name: string) => `Delete the tag ${name}?`,
  deleteHelp: (count: number) => `It is removed from ${companies(count)}. You can undo this.`,
  deleteButton: 'Delete tag',
}

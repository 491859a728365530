import { formatNumber } from '#web/format/format.ts'

interface Tagged {
  companies: number
  people: number
}

const companies = (count: number): string => (count === 1 ? '1 company' : `${formatNumber(count)} companies`)
const people = (count: number): string => (count === 1 ? '1 person' : `${formatNumber(count)} people`)

/** What has a tag: companies, people, or both. */
const tagged = (tag: Tagged): string => {
  if (tag.people === 0) return companies(tag.companies)
  return tag.companies === 0 ? people(tag.people) : `${companies(tag.companies)} and ${people(tag.people)}`
}

/** Text of Settings → Tags. */
export const strings = {
  title: 'Tags',
  description: 'A tag exists as long as a company or a person has it.',
  count: (count: number) => (count === 1 ? '1 tag' : `${formatNumber(count)} tags`),
  search: 'Search tags',
  clearSearch: 'Clear search',
  tag: 'Tag',
  companies: 'Companies',
  people: 'People',
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
  renameHelp: (tag: Tagged) => `Changes the tag for ${tagged(tag)}.`,
  newName: 'New name',
  willMerge: (tag: Tagged & { name: string }) =>
    `${tag.name} already exists for ${tagged(tag)}. The two tags become one.`,
  invalidName: 'A tag cannot contain semicolons.',
  renameButton: 'Rename',
  mergeTitle: (name: string) => `Merge the tag ${name} into another`,
  mergeHelp: (tag: Tagged & { name: string }) =>
    `${tagged(tag)} with ${tag.name} will have the other tag instead.`,
  mergeInto: 'Merge into',
  mergeButton: 'Merge',
  noOther: 'No matches',
  deleteTitle: (name: string) => `Delete the tag ${name}?`,
  deleteHelp: (tag: Tagged) => `It is removed from ${tagged(tag)}. You can undo this.`,
  deleteButton: 'Delete tag',
}

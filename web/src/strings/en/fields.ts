import { formatNumber } from '#web/format/format.ts'

const companies = (count: number): string => (count === 1 ? '1 company' : `${formatNumber(count)} companies`)

/** Text of the inputs for tags, owners, and custom fields. */
export const strings = {
  tags: 'Tags',
  tagsHelp: 'Enter adds the highlighted tag. Backspace removes the last one.',
  addTag: 'Add a tag…',
  tagCount: companies,
  tooManyTags: (max: number) => `A company can have up to ${max} tags.`,
  moreTags: (count: number) => `+${count}`,
  editTags: (company: string, tags: string) => `Tags of ${company}: ${tags || 'none'}`,
  owner: 'Owner',
  me: (name: string) => `Me (${name})`,
  noOwner: 'No owner',
  noPerson: 'No one',
  editOwner: (company: string, owner: string) => `Owner of ${company}: ${owner || 'none'}`,
  conflict: (company: string) =>
    `Someone else changed this for ${company} at the same time. Nothing was saved. Check the new value and try again.`,
  searching: 'Searching…',
  createNamed: (name: string) => `Create “${name}”`,
  yes: 'Yes',
  no: 'No',
  none: 'None',
  choose: 'Choose…',
  openUrl: (field: string) => `Open ${field} in a new tab`,
  writeTo: (field: string) => `Write to ${field}`,
  required: (label: string) => `${label} is required.`,
  incompleteDate: 'Enter a complete date.',
  types: {
    text: 'Text',
    long_text: 'Long text',
    number: 'Number',
    money: 'Money',
    date: 'Date',
    boolean: 'Yes or no',
    select: 'Single choice',
    multi_select: 'Multiple choice',
    url: 'URL',
    email: 'Email',
    user: 'Person',
  },
}

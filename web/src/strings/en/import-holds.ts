import { formatList, formatNumber } from '#web/format/format.ts'

const companies = (count: number): string => (count === 1 ? '1 company' : `${formatNumber(count)} companies`)

/** Text about what an imported file holds, and about the companies of people and notes. */
export const strings = {
  question: 'What does the file hold?',
  types: { company: 'Companies', person: 'People', note: 'Notes', deal: 'Deals' },
  looksLike: (type: 'company' | 'person' | 'note' | 'deal', source: string | null) => {
    const records = { company: 'companies', person: 'people', note: 'notes', deal: 'deals' }[type]
    if (source === 'export') return `It looks like an export of ${records} from here.`
    if (source === null) return `It looks like a list of ${records}.`
    return `It looks like a file of ${records} from ${source}.`
  },
  createCompanies: 'Create companies that do not exist',
  onExisting: { person: 'People who exist', deal: 'Deals that exist' },
  existing: { update: 'Update them', fill: 'Fill in blank fields', skip: 'Leave the rows out' },
  linked: (count: number) =>
    `Rows are linked to ${companies(count)} that ${count === 1 ? 'exists' : 'exist'}.`,
  toCreate: (count: number) => `${companies(count)} will be created:`,
  created: (count: number) => `${companies(count)} ${count === 1 ? 'was' : 'were'} created:`,
  unknown: (count: number) =>
    `Rows are not linked to ${companies(count)} that cannot be found or told apart:`,
  failing: (count: number) => `Rows are left out, because ${companies(count)} cannot be found or told apart:`,
  names: (shown: string[], total: number) =>
    shown.length < total
      ? `${shown.join(', ')}, and ${formatNumber(total - shown.length)} more.`
      : `${formatList(shown)}.`,

  titles: {
    company: 'Import companies',
    person: 'Import people',
    note: 'Import notes',
    deal: 'Import deals',
  },
  descriptions: {
    company: 'Add and update companies from a list. Nothing is saved until you confirm.',
    person: 'Add and update people with their companies. Nothing is saved until you confirm.',
    note: 'Add notes about companies, people, and deals. Nothing is saved until you confirm.',
    deal: 'Add and update deals with their companies. Nothing is saved until you confirm.',
  },
  required: {
    company: 'Which column holds the company name? Choose the field Name for it.',
    person:
      'Which column holds the name or the email address? Choose the field Name or Email addresses for it.',
    note: 'Which column holds the text of the notes? Choose the field Text for it.',
    deal: 'Which column holds the company of the deal? Choose the field Company or Company website for it.',
  },
  stages: 'Stages',
  stagesHelp:
    'These stages of the file are not among yours. Choose what they mean, or import them as they are.',
  stageInFile: 'In the file',
  stageRows: 'Rows',
  stageOf: (value: string) => `Stage of “${value}”`,
  asItIs: (word: string) => `As it is: ${word}`,
  leftBlank: 'Left blank',
  suggested: (label: string) => `${label} (suggested)`,
  takeSuggestions: (count: number) =>
    count === 1 ? 'Take the suggestion' : `Take all ${formatNumber(count)} suggestions`,
  moreStages: (count: number) => `${formatNumber(count)} more stages are not shown.`,
  allPeople: 'All people',
  pipeline: 'Pipeline',
  viewPeople: 'View people',
}

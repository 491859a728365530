import { isExport } from '../columns/columns.ts'
import { COMPANY_COLUMNS } from '../columns/company-columns.ts'
import { normalizedName } from '../columns/normalized-name.ts'
import { DEAL_COLUMNS, isStageName } from '../deals/deal-columns.ts'
import { NOTE_COLUMNS } from '../notes/note-columns.ts'
import { PERSON_COLUMNS } from '../people/person-columns.ts'
import type { HeldRecords, HeldSource, HeldType } from '../schema.ts'

/** A rule that recognizes the files of a tool by their columns, all of which they have. */
interface ToolRule {
  type: HeldType
  source: HeldSource
  columns: readonly (string | RegExp)[]
}

/** The first one that fits counts. Names are normalized. */
const TOOLS: readonly ToolRule[] = [
  { type: 'deal', source: 'Attio', columns: [/^deal(?: name)?$|^record$/, 'deal stage', 'deal value'] },
  { type: 'deal', source: 'HubSpot', columns: [/^deal name$|^record id$/, 'deal stage'] },
  { type: 'person', source: 'LinkedIn', columns: ['first name', 'last name', 'connected on'] },
  { type: 'person', source: 'Google Contacts', columns: [/^e mail 1 (?:label|type|value)$/] },
  { type: 'person', source: 'Google Contacts', columns: ['given name', 'family name', 'group membership'] },
  { type: 'person', source: 'Google Contacts', columns: ['file as', 'organization name', 'labels'] },
  { type: 'note', source: 'Affinity', columns: ['tagged entity', 'content'] },
  {
    type: 'note',
    source: 'Affinity',
    columns: [/^tagged (?:people|persons|organizations)$/, /^(?:note )?content$|^notes?$/],
  },
  {
    type: 'note',
    source: 'HubSpot',
    columns: [/^(?:hs )?(?:note|call|meeting) (?:body|notes)$|^internal meeting notes$/],
  },
  { type: 'note', source: 'Attio', columns: ['parent record', /^content(?: plaintext| markdown)?$/] },
  {
    type: 'note',
    source: 'Attio',
    columns: ['note id', 'parent object', /^content(?: plaintext| markdown)?$/],
  },
  { type: 'person', source: 'HubSpot', columns: ['record id', 'first name', 'last name'] },
  {
    type: 'person',
    source: 'HubSpot',
    columns: ['first name', 'last name', /^(?:contact owner|lifecycle stage|lead status)$/],
  },
  {
    type: 'person',
    source: 'Attio',
    columns: [/^(?:parent )?record(?: id)?$|^record name$/, /(?:^|record )email addresses$/],
  },
  { type: 'person', source: 'Attio', columns: [/^(?:parent )?record(?: id)?$/, /(?:^|record )job title$/] },
  {
    type: 'person',
    source: 'Affinity',
    columns: ['first name', 'last name', /^(?:primary email|organizations|job titles|person id)$/],
  },
  {
    type: 'deal',
    source: 'Affinity',
    columns: [/^(?:affinity row id|list entry id)$/, /^(?:deal )?(?:status|stage)$/],
  },
  {
    type: 'deal',
    source: 'Affinity',
    columns: ['organization id', /^(?:deal )?(?:status|stage)$/, /^owners?$/],
  },
  {
    type: 'deal',
    source: 'Attio',
    columns: [/^(?:parent record|entry id)(?: |$)/, /^(?:deal )?stage$/],
  },
]

const LABELS: Readonly<Record<HeldType, string>> = {
  company: 'companies',
  person: 'people',
  note: 'notes',
  deal: 'deals',
}

/**
 * Tells from its column names what a file holds, and the tool that it is from.
 * @param header the column names as in the file
 */
export function detectRecords(header: readonly string[]): HeldRecords {
  const exported = EXPORTS.find(([, kind]) => isExport(header, kind))
  if (exported) return held(exported[0], 'export', [...exported[1].exportColumns])
  const columns = header.map((name) => ({ name: name.trim(), key: normalizedName(name) }))
  for (const { type, source, columns: wanted } of TOOLS) {
    const found = wanted.map((one) =>
      columns.find(({ key }) => (typeof one === 'string' ? key === one : one.test(key))),
    )
    if (found.every((column) => column !== undefined))
      return held(
        type,
        source,
        found.map(({ name }) => name),
      )
  }
  return detectByFields(header)
}

const EXPORTS = [
  ['company', COMPANY_COLUMNS],
  ['person', PERSON_COLUMNS],
  ['note', NOTE_COLUMNS],
  ['deal', DEAL_COLUMNS],
] as const

/** Columns that, beside a stage, only lists of deals have. */
const OF_DEALS = [
  'amount_eur',
  'expected_close_on',
  'probability',
  'ownership_percent',
  'lost_reason',
] as const

/** Columns that only lists of companies have. */
const OF_COMPANIES = [
  'employee_count',
  'founded_year',
  'revenue_eur',
  'executives',
  'financials',
  'thesis_code',
] as const

function detectByFields(header: readonly string[]): HeldRecords {
  const people = PERSON_COLUMNS.recognize(header)
  const notes = NOTE_COLUMNS.recognize(header)
  const companies = COMPANY_COLUMNS.recognize(header)
  const deals = DEAL_COLUMNS.recognize(header)
  const name = (index: number | undefined) => (index === undefined ? [] : [header[index]?.trim() ?? ''])
  const first = (fields: ReadonlyMap<string, number[]>, ...wanted: string[]) =>
    wanted.flatMap((field) => name(fields.get(field)?.[0]))
  const isPerson = people.has('first_name') && people.has('last_name')
  const hasCompanyColumns = OF_COMPANIES.some((field) => companies.has(field))
  const isAbout = ['company', 'company_website', 'person', 'person_email', 'deal', 'entity'].some((field) =>
    notes.has(field as 'company'),
  )
  const hasContact = people.has('emails') || people.has('phones') || people.has('role')
  if (isPerson) return held('person', null, first(people, 'first_name', 'last_name'))
  const isDeal =
    header.some(isStageName) && deals.has('company') && OF_DEALS.some((field) => deals.has(field))
  if (isDeal && !hasCompanyColumns) return held('deal', null, first(deals, 'company', 'stage', ...OF_DEALS))
  if (notes.has('body') && isNote(header, notes.get('body')?.[0]) && isAbout && !hasCompanyColumns)
    return held('note', null, first(notes, 'body', 'happened_at', 'author'))
  if (!hasCompanyColumns && people.has('name') && people.has('company') && !companies.has('website'))
    return held('person', null, first(people, 'name', 'company'))
  if (!hasCompanyColumns && people.has('name') && people.has('company') && hasContact)
    return held('person', null, first(people, 'name', 'company', 'emails', 'role'))
  if (!hasCompanyColumns && people.has('name') && hasContact && !companies.has('website'))
    return held('person', null, first(people, 'name', 'emails', 'phones', 'role'))
  return held('company', null, first(companies, 'name', 'website'))
}

/** "Description" is a column of many files, and "Note" may be one of people. */
const isNote = (header: readonly string[], index: number | undefined): boolean =>
  index !== undefined &&
  /^(?:notes?|content|body|note (?:body|content|text))$/.test(normalizedName(header[index] ?? ''))

function held(type: HeldType, source: HeldSource | null, columns: readonly string[]): HeldRecords {
  const shown = new Intl.ListFormat('en').format(columns)
  const reason =
    columns.length === 0
      ? `No column shows what the file holds, so it is read as a list of ${LABELS[type]}.`
      : `${columns.length === 1 ? 'The column' : 'The columns'} ${shown} ${columns.length === 1 ? 'shows' : 'show'} it.`
  return { type, source, reason }
}

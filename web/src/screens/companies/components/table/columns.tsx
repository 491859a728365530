import { strings } from '#strings/companies.ts'
import { strings as decisions } from '#strings/decisions.ts'
import { strings as relationships } from '#strings/relationships.ts'
import { strings as tasks } from '#strings/tasks.ts'
import { age, amount, count, day, userText, webAddress } from '#web/columns/cells.tsx'
import type { BuiltInColumn } from '#web/columns/columns-by-field.ts'
import { OwnerCell } from '#web/fields/owner-cell.tsx'
import { nameFromEmail } from '#web/fields/people.ts'
import { TagsCell } from '#web/fields/tags-cell.tsx'
import { formatCompactEuros, formatDate } from '#web/format/format.ts'
import { NextStepText } from '#web/tasks/next-step-text.tsx'
import { ScoreBadge } from '#web/ui/score.tsx'
import { type Cell, countryCell, statusCell } from './cells.tsx'

/** The first column, which is always pinned and takes the space that others leave. */
export const NAME = 'name'

const number = { isNumber: true, isDescendingFirst: true }
const thesis: BuiltInColumn<Cell> = {
  label: strings.thesis,
  // Room for sixteen capitals.
  width: 160,
  maxWidth: 220,
  cell: (_company, code) => userText(code),
}

/** How the list shows the fields that every company has. */
export const BUILT_IN_COLUMNS: Record<string, BuiltInColumn<Cell>> = {
  [NAME]: { label: strings.company, width: 340, cell: ({ name }) => userText(name) },
  llm_score_overall: {
    ...number,
    label: strings.score,
    // Room for the sort arrow.
    width: 78,
    cell: ({ llm_score_overall: score }) => (score === null ? null : <ScoreBadge score={score} />),
  },
  status: { label: strings.status, width: 96, cell: statusCell },
  country_code: { label: strings.country, width: 118, maxWidth: 170, cell: countryCell },
  hq_city: { label: strings.city, width: 120, cell: ({ hq_city }) => userText(hq_city) },
  industry_category: {
    label: strings.industry,
    width: 148,
    maxWidth: 200,
    cell: ({ industry_category }) => userText(industry_category),
  },
  thesis_id: thesis,
  // The same column twice would only confuse.
  thesis_code: { ...thesis, isRetired: true },
  owner_email: {
    label: strings.owner,
    width: 96,
    cell: (company) => <OwnerCell company={company} />,
  },
  tags: {
    label: strings.tags,
    width: 160,
    cell: (company) => <TagsCell company={company} max={2} />,
  },
  revenue_eur: {
    ...number,
    label: strings.revenue,
    width: 90,
    cell: ({ revenue_eur }) => amount(revenue_eur, formatCompactEuros),
  },
  employee_count: {
    ...number,
    label: strings.employees,
    width: 108,
    cell: ({ employee_count }) => count(employee_count),
  },
  founded_year: {
    ...number,
    label: strings.founded,
    width: 92,
    cell: ({ founded_year }) => founded_year,
  },
  decision_outcome: {
    label: strings.decision,
    width: 96,
    cell: ({ decision_outcome }) => decision_outcome && decisions.outcomes[decision_outcome],
  },
  revisit_on: {
    label: strings.revisitOn,
    width: 116,
    cell: ({ revisit_on }) => revisit_on && formatDate(revisit_on),
  },
  next_step_on: {
    label: tasks.nextStep,
    width: 200,
    maxWidth: 320,
    cell: ({ next_step }) => next_step && <NextStepText step={next_step} />,
  },
  last_contact_at: {
    isDescendingFirst: true,
    label: relationships.lastContact,
    width: 116,
    cell: ({ last_contact_at }) => last_contact_at && age(last_contact_at),
  },
  last_contact_by: {
    label: relationships.lastContactBy,
    width: 130,
    cell: ({ last_contact_by }) => last_contact_by && userText(nameFromEmail(last_contact_by)),
  },
  contacts_last_year: {
    isNumber: true,
    isDescendingFirst: true,
    label: relationships.contactsInYear,
    width: 130,
    cell: ({ contacts_last_year }) => contacts_last_year || null,
  },
  website: { label: strings.website, width: 160, cell: ({ website }) => webAddress(website) },
  activity_description: {
    label: strings.description,
    width: 280,
    cell: ({ activity_description }) => userText(activity_description),
  },
  country: { label: strings.countryText, width: 140, cell: ({ country }) => userText(country) },
  updated_at: {
    isDescendingFirst: true,
    label: strings.updated,
    width: 128,
    cell: ({ updated_at }) => age(updated_at),
  },
  created_at: {
    isDescendingFirst: true,
    label: strings.created,
    width: 116,
    cell: ({ created_at }) => day(created_at),
  },
  id: { label: strings.id, width: 260, cell: ({ id }) => userText(id) },
}

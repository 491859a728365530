import type { Company } from '#src/features/companies/index.ts'
import type { Deal } from '#src/features/deals/index.ts'
import { readNames } from '#src/features/links/index.ts'
import type { Db } from '#src/platform/database/database.ts'
import type { Fields } from '#src/platform/filter/fields.ts'
import type { BriefItem, BriefSection } from './schema.ts'
import type { Scope } from './scope.ts'
import { type FieldsByType, fieldItems, itemOf, sectionOf, wordText } from './values.ts'

const FACTS = 20
const DEALS = 5

const COMPANY_FACTS = [
  ...['activity_description', 'status', 'industry_category', 'hq_city', 'country', 'founded_year'],
  ...['employee_count', 'revenue_eur', 'website', 'tags', 'owner_email', 'revisit_on'],
]
const PERSON_FACTS = ['headline', 'emails', 'phones', 'links', 'location', 'tags', 'owner_email']
const DEAL_FACTS = [
  ...['stage', 'status', 'probability', 'round', 'amount_eur', 'valuation_eur', 'ownership_percent'],
  ...['owner_email', 'source_name', 'source', 'expected_close_on', 'lost_reason', 'notes'],
]

/** The facts of the subject. Those without a value are left out. */
export async function factsSection(db: Db, scope: Scope, fields: FieldsByType): Promise<BriefSection> {
  return sectionOf('facts', 'Facts', await factsOf(db, scope, fields), FACTS)
}

async function factsOf(db: Db, scope: Scope, fields: FieldsByType): Promise<BriefItem[]> {
  const { subject, companies, people, deals } = scope
  const [company, person, deal] = [companies[0], people[0], deals[0]]
  if (subject === 'person' && person)
    return [
      ...fieldItems(fields.person, PERSON_FACTS, person),
      ...contactItem(person),
      ...customItems(fields.person, person.custom),
    ]
  if (subject === 'deal' && deal)
    return [
      itemOf('Company', deal.company_name, { type: 'company', id: deal.company_id }),
      ...dealFacts(fields.dealflow, deal),
      ...customItems(fields.dealflow, deal.custom),
    ]
  return company
    ? [
        ...fieldItems(fields.company, COMPANY_FACTS, company),
        ...(await thesisItem(db, company)),
        ...contactItem(company),
        ...customItems(fields.company, company.custom),
      ]
    : []
}

const dealFacts = (fields: Fields, deal: Deal): BriefItem[] => {
  const [stage, ...others] = fieldItems(fields, DEAL_FACTS, deal)
  return stage
    ? [{ ...stage, text: `${stage.text} since ${deal.stage_entered_at.slice(0, 10)}` }, ...others]
    : others
}

const customItems = (fields: Fields, custom: Company['custom']): BriefItem[] => {
  const record = Object.fromEntries(Object.entries(custom).map(([key, value]) => [`custom.${key}`, value]))
  return fieldItems(
    fields,
    Object.keys(record).filter((name) => fields.has(name)),
    record,
  )
}

async function thesisItem(db: Db, { thesis_id }: Company): Promise<BriefItem[]> {
  if (thesis_id === null) return []
  const name = (await readNames(db, [{ type: 'thesis', id: thesis_id }])).get(thesis_id)
  return name === undefined ? [] : [itemOf('Thesis', name)]
}

const contactItem = (record: Pick<Company, 'last_contact_at' | 'last_contact_by' | 'contacts_last_year'>) =>
  record.last_contact_at === null
    ? [itemOf('Last contact', 'never')]
    : [
        itemOf('Last contact', `${record.contacts_last_year} in the last year`, {
          at: record.last_contact_at,
          user_email: record.last_contact_by,
        }),
      ]

/** The terms of the deals: of the company, of its other deals, or of the person's companies. */
export function dealsSection({ subject, id, deals }: Scope, { dealflow }: FieldsByType): BriefSection {
  const others = subject === 'deal' ? deals.filter((deal) => deal.id !== id) : deals
  const items = others.map((deal) => {
    const terms = dealFacts(dealflow, deal).filter(({ label }) => label !== 'Round')
    const name = [...(subject === 'person' ? [deal.company_name] : []), deal.round ?? 'Deal'].join(', ')
    return itemOf(name, terms.map(({ label, text }) => `${label} ${text}`).join('; '), {
      type: 'deal',
      id: deal.id,
    })
  })
  return sectionOf('deals', subject === 'deal' ? 'Other deals of the company' : 'Deals', items, DEALS)
}

const CRITERIA = 8

/** The scores of the companies by the model, with its reasons. */
export function scoreSection({ companies, subject }: Scope): BriefSection {
  const items = companies.flatMap((company) => scoreItems(company, subject === 'person'))
  return sectionOf('score', 'Score', items, CRITERIA)
}

function scoreItems(
  { id, name, llm_score_overall, llm_score_details }: Company,
  isNamed: boolean,
): BriefItem[] {
  if (llm_score_overall === null) return []
  const { criteria, scored_at, model } = (llm_score_details ?? {}) as Record<string, unknown>
  const by = typeof model === 'string' ? `, by ${model}` : ''
  const at = typeof scored_at === 'string' && !Number.isNaN(Date.parse(scored_at)) ? scored_at : null
  const overall = itemOf(isNamed ? name : 'Overall', `${llm_score_overall} of 100${by}`, {
    at,
    type: 'company',
    id,
  })
  // Users may store other details than those of the model.
  const reasons = (Array.isArray(criteria) ? criteria : []).flatMap((one: unknown) => {
    const { name: criterion, score, reason } = (one ?? {}) as Record<string, unknown>
    return typeof criterion === 'string' && typeof score === 'number'
      ? [itemOf(wordText(criterion), `${score}${typeof reason === 'string' ? `. ${reason}` : ''}`)]
      : []
  })
  return [overall, ...reasons]
}

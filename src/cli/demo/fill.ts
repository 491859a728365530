import { fileURLToPath } from 'node:url'
import { type Client, createClient } from '#src/client/client.ts'
import { importThesis, readTheses } from '../import-theses.ts'
import { demoCsv } from './companies.ts'
import { fillDecisions, shareDueView } from './decisions.ts'
import { fillFiles } from './files.ts'
import { fillNotes } from './notes.ts'
import { fillTasks } from './tasks.ts'

interface DemoDeal extends DealChanges {
  /** The owner, a person of the thesis, or a company of the thesis that has no deal brought it. */
  broughtBy?: 'user' | 'person' | 'company'
}
type DealChanges = Parameters<Client['updateDeal']>[0]['body']

/** The deals of a thesis. The company with the best score gets the first one. */
const DEALS: readonly DemoDeal[] = [
  {
    stage: 'term_sheet',
    probability: 70,
    notes: 'Term sheet sent. Waiting for an answer from the second founder.',
    amount_eur: 2_500_000,
    round: 'Series A',
    valuation_eur: 18_000_000,
    ownership_percent: 12.5,
    source: 'Introduction by a co-investor',
    broughtBy: 'company',
  },
  {
    stage: 'due_diligence',
    probability: 55,
    notes: 'Three customer references are in. Financial statements to follow.',
    amount_eur: 1_800_000,
    round: 'Series A',
    source: 'Talk at the autumn conference',
    source_type: 'channel',
    source_id: 'conference',
  },
  {
    stage: 'meeting',
    probability: 40,
    notes: 'Second meeting with the founders next week.',
    amount_eur: 1_200_000,
    round: 'Seed',
    source: 'Own research',
    broughtBy: 'user',
  },
  {
    stage: 'meeting',
    probability: 30,
    notes: 'They asked for introductions to two of our portfolio companies.',
    amount_eur: 900_000,
    round: 'Seed',
    source: 'Introduction by a founder we know',
    broughtBy: 'person',
  },
  {
    stage: 'initial',
    probability: 20,
    notes: 'Met at a trade show. Sent the questionnaire.',
    source_type: 'channel',
    source_id: 'event',
  },
  { stage: 'initial', probability: 10, notes: null },
]
const ANALYSTS = ['ada@example.com', 'ben@example.com', 'chiara@example.com']
/** Of the companies with the best scores. */
const PEOPLE_PER_THESIS = 4
const CODES = ['WAREHOUSE-ROBOTS', 'GRID-FLEXIBILITY', 'CARE-AT-HOME']

/**
 * Fills an empty service with invented data. Each step adds only missing records, so an interrupted fill continues at the
 * next start. Once the deals exist, nothing is added, so users' changes are kept.
 */
export async function fillDemo(baseUrl: string, log: (text: string) => void): Promise<void> {
  const [ada] = ANALYSTS.map((email) => createClient({ baseUrl, headers: { 'x-user-email': email } })) as [
    Client,
  ]
  const { pagination } = await ada.listDeals()
  if (pagination.total >= DEALS.length * CODES.length) return
  log('Filling the demo with fictional data…')
  for (const thesis of await readTheses(fileURLToPath(new URL('./theses', import.meta.url))))
    await importThesis(ada, thesis)
  const { data } = await ada.importCompanies({ body: demoCsv() })
  if (data.failed > 0) throw new Error(`The demo's companies cannot be imported: ${data.errors[0]?.message}`)
  await startEnrichment(ada)
  // Owners and those mentioned must be users.
  for (const email of ANALYSTS) await ada.getUser({ params: { email } })
  await shareDueView(ada)
  for (const [index, code] of CODES.entries()) {
    const email = ANALYSTS[index] as string
    await fillPeople(baseUrl, code, email)
    await fillDeals(baseUrl, code, email)
    const companies = await bestCompanies(ada, code, 2 * DEALS.length)
    await fillNotes(baseUrl, code, companies)
    await fillDecisions(baseUrl, code, companies)
    await fillTasks(baseUrl, code, companies)
    await fillFiles(baseUrl, code, companies)
  }
}

/** Starts a bulk action that writes the companies' profiles. */
async function startEnrichment(client: Client): Promise<void> {
  const { data: actions } = await client.listBulkActions()
  if (actions.some(({ action_type }) => action_type === 'enrich_profile')) return
  const { data: companies } = await client.listCompanies({ querystring: { limit: 1000 } })
  const company_ids = companies.map(({ id }) => id)
  await client.createBulkAction({ body: { action_type: 'enrich_profile', company_ids } })
}

/** The active companies of a thesis that have the best scores. */
async function bestCompanies(client: Client, code: string, limit: number) {
  const { data: theses } = await client.listTheses({ querystring: { code } })
  const { data: companies } = await client.listCompanies({
    querystring: { thesis_id: theses[0]?.id, status: 'active', sort: '-llm_score_overall', limit },
  })
  return companies
}

/** Creates a person for the first executive of each company. The last one was on the board of the first company. */
async function fillPeople(baseUrl: string, code: string, email: string): Promise<void> {
  const client = createClient({ baseUrl, headers: { 'x-user-email': email } })
  const companies = await bestCompanies(client, code, PEOPLE_PER_THESIS)
  for (const [index, { id, name, website, hq_city, executives }] of companies.entries()) {
    const [executive] = (executives ?? []) as { name: string; title: string }[]
    const { pagination } = await client.listCompanyPeople({ params: { id } })
    if (!executive || pagination.total > 0) continue
    const boards = companies.slice(0, 1).filter(() => index === PEOPLE_PER_THESIS - 1)
    await client.createPerson({
      body: {
        name: executive.name,
        emails: [`${addressName(executive.name)}@${new URL(website ?? '').hostname.replace('www.', '')}`],
        headline: `${executive.title} of ${name}`,
        location: hq_city,
        tags: index === 0 ? ['Founder'] : [],
        owner_email: email,
        companies: [
          { company_id: id, role: executive.title, from: '2021-01-01', is_primary: true },
          ...boards.map((board) => ({
            company_id: board.id,
            role: 'Board member',
            from: '2018-04-01',
            until: '2022-03-31',
          })),
        ],
      },
    })
  }
}

/** The part of an email address before the @, such as elin.sjoberg. */
const addressName = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll('ø', 'o')
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z]+/g, '.')

/** The companies that get deals, and the next best one, which brought one of them. */
async function dealCompanies(client: Client, code: string) {
  const companies = await bestCompanies(client, code, DEALS.length + 1)
  return [companies.slice(0, DEALS.length), companies[DEALS.length]] as const
}

async function fillDeals(baseUrl: string, code: string, email: string): Promise<void> {
  const client = createClient({ baseUrl, headers: { 'x-user-email': email } })
  const [companies, partner] = await dealCompanies(client, code)
  const { data: people } = await client.listCompanyPeople({ params: { id: companies[0]?.id ?? '' } })
  const ids = { user: email, person: people[0]?.id, company: partner?.id }
  for (const [index, company] of companies.entries()) {
    const { broughtBy, ...deal } = DEALS[index] ?? {}
    const { pagination } = await client.listDeals({ querystring: { company_id: company.id } })
    if (pagination.total > 0) continue
    // The deal is created at the first stage and then moved, so that the activity log looks real.
    const { data: created } = await client.createDeal({
      body: { company_id: company.id, stage: 'initial', probability: 10, owner_email: email },
    })
    const source_id = broughtBy && ids[broughtBy]
    const body = { ...deal, ...(source_id && { source_type: broughtBy, source_id }) }
    // A colleague moves one, so that its owner has a notification about it.
    const mover =
      index === 1 ? createClient({ baseUrl, headers: { 'x-user-email': ANALYSTS[0] as string } }) : client
    await mover.updateDeal({ params: { id: created.id }, body })
  }
}

import { fileURLToPath } from 'node:url'
import { type Client, createClient } from '#src/client/client.ts'
import { importThesis, readTheses } from '../import-theses.ts'
import { demoCsv } from './companies.ts'

/** Deals, by the place of their company among those of a thesis, best score first. */
const DEALS = [
  {
    stage: 'term_sheet',
    probability: 70,
    notes: 'Terms sent. Waiting for the answer of the second founder.',
  },
  {
    stage: 'due_diligence',
    probability: 55,
    notes: 'References of three customers are in; accounts to follow.',
  },
  { stage: 'meeting', probability: 40, notes: 'Second meeting with the founders next week.' },
  { stage: 'meeting', probability: 30, notes: 'They asked for introductions to two of our companies.' },
  { stage: 'initial', probability: 20, notes: 'Met at a trade fair. Sent the questionnaire.' },
  { stage: 'initial', probability: 10, notes: null },
]
const ANALYSTS = ['ada@example.com', 'ben@example.com', 'chiara@example.com']
const CODES = ['WAREHOUSE-ROBOTS', 'GRID-FLEXIBILITY', 'CARE-AT-HOME']

/**
 * Fills an empty service with invented data. Every step does only what is missing, and the last one marks the end,
 * so a fill that was broken off goes on at the next start and a finished one leaves what people changed alone.
 */
export async function fillDemo(baseUrl: string, log: (text: string) => void): Promise<void> {
  const [ada] = ANALYSTS.map((email) => createClient({ baseUrl, headers: { 'x-user-email': email } })) as [
    Client,
  ]
  const { pagination } = await ada.listDeals()
  if (pagination.total >= DEALS.length * CODES.length) return
  log('filling the demo with invented data')
  for (const thesis of await readTheses(fileURLToPath(new URL('./theses', import.meta.url))))
    await importThesis(ada, thesis)
  const { data } = await ada.importCompanies({ body: demoCsv() })
  if (data.failed > 0) throw new Error(`The demo's companies do not import: ${data.errors[0]?.message}`)
  await enrich(ada)
  for (const [index, code] of CODES.entries()) await fillDeals(baseUrl, code, ANALYSTS[index] as string)
  log('the demo is filled')
}

/** Has the worker write the companies' profiles, in the seconds after the start. */
async function enrich(client: Client): Promise<void> {
  const { data: actions } = await client.listBulkActions()
  if (actions.some(({ action_type }) => action_type === 'enrich_profile')) return
  const { data: companies } = await client.listCompanies({ querystring: { limit: 1000 } })
  const company_ids = companies.map(({ id }) => id)
  await client.createBulkAction({ body: { action_type: 'enrich_profile', company_ids } })
}

async function fillDeals(baseUrl: string, code: string, email: string): Promise<void> {
  const client = createClient({ baseUrl, headers: { 'x-user-email': email } })
  const { data: theses } = await client.listTheses({ querystring: { code } })
  const { data: companies } = await client.listCompanies({
    querystring: {
      thesis_id: theses[0]?.id,
      status: 'active',
      sort: '-llm_score_overall',
      limit: DEALS.length,
    },
  })
  for (const [index, company] of companies.entries()) {
    const deal = DEALS[index]
    const { pagination } = await client.listDeals({ querystring: { company_id: company.id } })
    if (!deal || pagination.total > 0) continue
    // A deal begins at the first stage and is moved, as a person would: that is what the activity log shows.
    const { data: created } = await client.createDeal({
      body: { company_id: company.id, stage: 'initial', probability: 10 },
    })
    await client.updateDeal({ params: { id: created.id }, body: deal })
  }
}

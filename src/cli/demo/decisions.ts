import { type Client, createClient } from '#src/client/client.ts'

type Analyst = 'ada' | 'ben' | 'chiara'

/** A decision about a company of a thesis, counted from the one with the best score. */
interface DemoDecision {
  author: Analyst
  company: number
  /** Whether it is about the latest deal of the company. */
  isOnDeal?: boolean
  /** undefined: it is open. */
  outcome?: 'invest' | 'pass' | 'track' | 'hold'
  reasons?: string[]
  body: string
  daysAgo?: number
  /** When to look again, in days from today; negative: it is due. */
  revisitIn?: number
  asked?: Analyst[]
  votes?: { by: Analyst; vote: 'champion' | 'yes' | 'no' | 'abstain'; comment?: string }[]
}

const DECISIONS: Readonly<Record<string, readonly DemoDecision[]>> = {
  'WAREHOUSE-ROBOTS': [
    {
      ...{ author: 'ada', company: 0, isOnDeal: true, asked: ['ben', 'chiara'] },
      body: 'Term sheet at **18 million before the money**, as discussed. The fee per pick holds up in all cohorts.\n\nOpen: the reference of the largest customer.',
      votes: [
        { by: 'ada', vote: 'champion' },
        { by: 'ben', vote: 'yes', comment: 'If the customer in Utrecht confirms the payback.' },
      ],
    },
    {
      ...{ author: 'ada', company: 6, outcome: 'pass', reasons: ['too_early', 'traction'] },
      body: 'Good arm, **no paying customer**. They expect the first contract within six months.',
      ...{ daysAgo: 190, revisitIn: -4 },
    },
  ],
  'GRID-FLEXIBILITY': [
    {
      ...{ author: 'ben', company: 6, outcome: 'pass', reasons: ['valuation', 'terms'] },
      body: 'They ask for twice the price of the last round, with a ratchet. We like the team and stay in touch.',
      ...{ daysAgo: 75, revisitIn: 100, asked: ['ada'] },
    },
    {
      ...{ author: 'ben', company: 7, outcome: 'track', reasons: ['timing'] },
      body: 'Look again once the rules for balancing markets are final.',
      ...{ daysAgo: 20, revisitIn: 30 },
    },
  ],
  'CARE-AT-HOME': [
    {
      ...{ author: 'chiara', company: 6, outcome: 'hold', reasons: ['conflict'] },
      body: 'One of our companies talks with them about a merger. Nothing until that is decided.',
      daysAgo: 11,
    },
  ],
}

const DAY_MS = 24 * 60 * 60 * 1000
const dayIn = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)

/**
 * Records decisions about the companies of a thesis, unless they are there.
 * @param companies those with the best scores, the best first
 */
export async function fillDecisions(
  baseUrl: string,
  code: string,
  companies: readonly { id: string }[],
): Promise<void> {
  const clientOf = (name: Analyst) =>
    createClient({ baseUrl, headers: { 'x-user-email': `${name}@example.com` } })
  for (const { author, company, daysAgo, revisitIn, isOnDeal, votes = [], ...decision } of DECISIONS[code] ??
    []) {
    const company_id = companies[company]?.id
    const client = clientOf(author)
    if (!company_id) continue
    const { pagination } = await client.listDecisions({ querystring: { company_id } })
    if (pagination.total > 0) continue
    const { data: deals } = await client.listDeals({ querystring: { company_id, limit: 1 } })
    const { data } = await client.createDecision({
      body: {
        ...decision,
        company_id,
        asked: (decision.asked ?? []).map((name) => `${name}@example.com`),
        ...(isOnDeal && deals[0] && { deal_id: deals[0].id }),
        ...(daysAgo && { decided_at: `${dayIn(-daysAgo)}T14:00:00.000Z` }),
        ...(revisitIn && { revisit_on: dayIn(revisitIn) }),
      },
    })
    for (const { by, ...vote } of votes) await clientOf(by).putVote({ params: { id: data.id }, body: vote })
  }
}

const VIEW = 'Passed, due to look again'

/** Shares a view of the companies that are due, unless there is one with its name. */
export async function shareDueView(client: Client): Promise<void> {
  const { data: views } = await client.listViews({ querystring: { entity: 'company' } })
  if (views.some(({ name }) => name === VIEW)) return
  await client.createView({
    body: {
      ...{ entity: 'company', name: VIEW, visibility: 'shared' },
      filter: {
        and: [
          { field: 'decision_outcome', op: 'eq', value: 'pass' },
          { field: 'revisit_on', op: 'lte', value: 'today' },
        ],
      },
      sort: [{ field: 'revisit_on', direction: 'asc' }],
    },
  })
}

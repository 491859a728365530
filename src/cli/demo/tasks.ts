import { type Client, createClient } from '#src/client/client.ts'

type Analyst = 'ada' | 'ben' | 'chiara'

/** A task about a company of a thesis, counted from the one with the best score; undefined: about nothing. */
interface DemoTask {
  author: Analyst
  /** By default, the author. */
  assignee?: Analyst
  company?: number
  /** Whether it is about the latest deal of the company. */
  isOnDeal?: boolean
  title: string
  /** When it is due, in days from today; undefined: without a date. */
  dueIn?: number
  /** Due at this time in UTC, such as 14:30. */
  at?: string
  repeat?: 'daily' | 'weekly' | 'monthly' | 'quarterly'
  unless_contact_days?: number
  isDone?: boolean
}

const TASKS: Readonly<Record<string, readonly DemoTask[]>> = {
  'WAREHOUSE-ROBOTS': [
    {
      ...{ author: 'ada', company: 0, isOnDeal: true, dueIn: 0 },
      title: 'Ask the second founder for an answer to the term sheet',
    },
    {
      ...{ author: 'ada', assignee: 'ben', company: 0, isOnDeal: true, dueIn: 3 },
      title: 'Call the customer in Utrecht about the payback',
    },
    { author: 'ben', assignee: 'ada', company: 2, isOnDeal: true, dueIn: -2, title: 'Read the cohort table' },
    {
      ...{ author: 'ada', company: 1, isOnDeal: true, dueIn: 10, repeat: 'monthly' },
      title: 'Ask for the numbers of the month',
    },
    { author: 'ada', company: 3, isOnDeal: true, dueIn: -6, isDone: true, title: 'Send two introductions' },
  ],
  'GRID-FLEXIBILITY': [
    {
      ...{ author: 'ben', company: 1, isOnDeal: true, dueIn: -1 },
      title: 'Get the audited statements',
    },
    {
      ...{ author: 'ben', company: 2, isOnDeal: true, dueIn: 5, at: '09:30' },
      title: 'Prepare the second meeting with the founders',
    },
    { author: 'ben', company: 7, unless_contact_days: 60, title: 'Get in touch' },
    { author: 'chiara', assignee: 'ben', company: 4, isOnDeal: true, title: 'Read the questionnaire' },
  ],
  'CARE-AT-HOME': [
    { author: 'chiara', company: 0, isOnDeal: true, dueIn: 0, title: 'Comment on the draft of the contract' },
    {
      ...{ author: 'chiara', company: 1, isOnDeal: true, dueIn: 2 },
      title: 'Talk with the third reference',
    },
    { author: 'ada', assignee: 'chiara', company: 3, dueIn: 25, title: 'Ask how the pilot went' },
    { author: 'chiara', dueIn: 6, repeat: 'weekly', title: 'Prepare the meeting on new deals' },
  ],
}

const DAY_MS = 24 * 60 * 60 * 1000
const dayIn = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)

/**
 * Creates tasks about the companies of a thesis, unless they are there.
 * @param companies those with the best scores, the best first
 */
export async function fillTasks(
  baseUrl: string,
  code: string,
  companies: readonly { id: string }[],
): Promise<void> {
  const clientOf = (name: Analyst) =>
    createClient({ baseUrl, headers: { 'x-user-email': `${name}@example.com` } })
  for (const { author, assignee = author, company, isOnDeal, isDone, dueIn, at, ...task } of TASKS[code] ??
    []) {
    const company_id = company === undefined ? undefined : companies[company]?.id
    const client = clientOf(author)
    if (await exists(client, task.title, company_id)) continue
    const day = dueIn === undefined ? undefined : dayIn(dueIn)
    const { data } = await client.createTask({
      body: {
        ...task,
        assignee_email: `${assignee}@example.com`,
        ...(company_id && { about: [await aboutOf(client, company_id, isOnDeal)] }),
        ...(day && (at ? { due_at: `${day}T${at}:00.000Z` } : { due_on: day })),
      },
    })
    if (isDone) await clientOf(assignee).finishTask({ params: { id: data.id } })
  }
}

async function exists(client: Client, title: string, about: string | undefined): Promise<boolean> {
  for (const done of [false, true]) {
    const { data } = await client.listTasks({ querystring: { search: title, done, ...(about && { about }) } })
    if (data.some((task) => task.title === title)) return true
  }
  return false
}

/** The latest deal of a company, or the company itself. */
async function aboutOf(client: Client, company_id: string, isOnDeal = false) {
  const { data: deals } = await client.listDeals({ querystring: { company_id, limit: 1 } })
  return isOnDeal && deals[0]
    ? ({ type: 'deal', id: deals[0].id } as const)
    : ({ type: 'company', id: company_id } as const)
}

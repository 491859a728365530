import { type Client, createClient } from '#src/client/client.ts'

/** A note about a company of a thesis, counted from the one with the best score. */
interface DemoNote {
  kind: 'note' | 'call' | 'meeting' | 'email'
  author: 'ada' | 'ben' | 'chiara'
  company: number
  /** Whether it is also about the latest deal, the first person, or the thesis. */
  about?: ('deal' | 'person' | 'thesis')[]
  daysAgo: number
  title?: string
  body: string
  mentions?: ('ada' | 'ben' | 'chiara')[]
  hasParticipant?: boolean
  pinned?: boolean
  isPrivate?: boolean
  reply?: { author: 'ada' | 'ben' | 'chiara'; body: string }
}

const NOTES: Readonly<Record<string, readonly DemoNote[]>> = {
  'WAREHOUSE-ROBOTS': [
    {
      ...{ kind: 'meeting', author: 'ada', company: 0, daysAgo: 41, about: ['deal', 'person'] },
      title: 'First meeting at their warehouse',
      body: 'Saw 40 robots in one shift. **Two stopped** and needed a technician.\n\n- Picks per hour: 310, twice what the workers did\n- Payback according to them: 19 months\n- Ask two customers whether that is true',
      hasParticipant: true,
      mentions: ['ben'],
      reply: { author: 'ben', body: 'The customer in Utrecht says 26 months, and would buy again.' },
    },
    {
      ...{ kind: 'call', author: 'ada', company: 0, daysAgo: 12, about: ['deal'] },
      title: 'Pricing',
      body: 'They move from a purchase to a fee **per pick**. Churn so far: none of 14 customers.\n\nOpen: who carries the cost of the robots on their balance sheet?',
      hasParticipant: true,
    },
    {
      ...{ kind: 'note', author: 'ada', company: 0, daysAgo: 9, pinned: true },
      title: 'What we need before a decision',
      body: '1. Cohorts of the fee per pick\n2. Reference of the largest customer\n3. Cap table after the bridge',
    },
    {
      ...{ kind: 'note', author: 'ada', company: 0, daysAgo: 5, about: ['person'], isPrivate: true },
      title: 'Reference of the founder',
      body: 'A former colleague called the founder brilliant and hard to work with. Not to be quoted. Chiara should ask a second person.',
      mentions: ['chiara'],
    },
    {
      ...{ kind: 'email', author: 'ben', company: 1, daysAgo: 20 },
      title: 'Monthly update',
      body: '> Revenue grew by 11% in a month. We lost one pilot in Lyon, because the floor was uneven.\n\nThe sensors for uneven floors come in autumn.',
    },
  ],
  'GRID-FLEXIBILITY': [
    {
      ...{ kind: 'call', author: 'ben', company: 0, daysAgo: 30, about: ['deal', 'person'] },
      title: 'Regulation',
      body: 'The new rules for balancing markets help them from January on. Minimum bid: **1 MW**, until now 5 MW.',
      hasParticipant: true,
      reply: { author: 'chiara', body: 'Our lawyer reads it the same way. Only the date may still move.' },
    },
    {
      ...{ kind: 'meeting', author: 'ben', company: 1, daysAgo: 17, about: ['thesis'] },
      title: 'Two of three suppliers are the same',
      body: 'Both companies buy batteries from one supplier. That is a risk for the whole thesis, not just for this deal.',
      mentions: ['ada', 'chiara'],
    },
    {
      ...{ kind: 'note', author: 'ben', company: 2, daysAgo: 3 },
      body: 'Look again in spring, once the pilot with the city has ended.',
    },
  ],
  'CARE-AT-HOME': [
    {
      ...{ kind: 'meeting', author: 'chiara', company: 0, daysAgo: 26, about: ['deal'] },
      title: 'Visit with a care team',
      body: 'Followed a nurse for a morning:\n\n| Task | Before | Now |\n|---|---|---|\n| Paperwork | 70 minutes | 25 minutes |\n| Visits | 9 | 12 |\n\nThe nurses like it. *The insurer pays for neither.*',
      hasParticipant: true,
      pinned: true,
      reply: { author: 'ada', body: 'Who pays then? Ask about the contract with the region.' },
    },
    {
      ...{ kind: 'call', author: 'chiara', company: 1, daysAgo: 8, about: ['person'] },
      body: 'Short call about the team. They look for a medical director; **I promised two introductions**.',
      hasParticipant: true,
    },
    {
      ...{ kind: 'note', author: 'chiara', company: 0, daysAgo: 2, isPrivate: true },
      title: 'My doubt',
      body: 'The numbers fit too well. I want to see raw data before I say so to the team.',
    },
  ],
}

const addressOf = (name: string) => `${name}@example.com`
const DAY_MS = 24 * 60 * 60 * 1000

/**
 * Writes notes about the companies of a thesis, unless there are some.
 * @param companies those with the best scores, the best first
 */
export async function fillNotes(
  baseUrl: string,
  code: string,
  companies: readonly { id: string; thesis_id: string | null }[],
): Promise<void> {
  const clientOf = (name: string) => createClient({ baseUrl, headers: { 'x-user-email': addressOf(name) } })
  for (const note of NOTES[code] ?? []) {
    const company = companies[note.company]
    if (!company) continue
    const client = clientOf(note.author)
    const happened_at = timeOf(note)
    const { data: written } = await client.listNotes({
      querystring: { about: company.id, author_email: 'me', kind: note.kind },
    })
    if (written.some(({ body }) => body === note.body)) continue
    const { about, person } = await linksOf(client, note, company)
    const { data } = await client.createNote({
      body: {
        ...{ kind: note.kind, title: note.title ?? null, body: note.body, happened_at, about },
        participants: note.hasParticipant && person ? [person] : [],
        mentions: (note.mentions ?? []).map(addressOf),
        pinned: note.pinned ?? false,
        visibility: note.isPrivate ? 'private' : 'team',
      },
    })
    if (note.reply)
      await clientOf(note.reply.author).createNote({ body: { parent_id: data.id, body: note.reply.body } })
  }
}

/** In the middle of a working day. */
const timeOf = ({ daysAgo }: DemoNote): string =>
  `${new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10)}T${9 + (daysAgo % 8)}:30:00.000Z`.replace(
    /T(\d):/,
    'T0$1:',
  )

async function linksOf(
  client: Client,
  { about: also = [] }: DemoNote,
  { id, thesis_id }: { id: string; thesis_id: string | null },
) {
  const { data: deals } = await client.listDeals({ querystring: { company_id: id, limit: 1 } })
  const { data: people } = await client.listCompanyPeople({ params: { id } })
  const targets = { deal: deals[0]?.id, person: people[0]?.id, thesis: thesis_id }
  const about = also.flatMap((type) => {
    const target = targets[type]
    return target ? [{ type, id: target }] : []
  })
  return { about: [{ type: 'company' as const, id }, ...about], person: people[0]?.id }
}

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { about, as, type Fields, notesOf, ok } from '#src/features/notes/notes.fixture.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { ada } from '#src/testing/settings.ts'

const bob = 'bob@example.com'
const DAY_MS = 86_400_000

let api: TestApp
before(async () => {
  api = await testApp({ EMBEDDINGS: 'off', WORKER: 'off' })
})
after(() => api.close())

const { create, note } = notesOf(() => api)
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString()
const day = (time: string) => time.slice(0, 10)
const patch = async (path: string, fields: object, email = ada) =>
  ok(await api.call('PATCH', `/api/${path}`, fields, as(email)))
const sectionsOf = async (path: string, email = ada): Promise<Fields> => {
  const { title, sections } = ok(await api.call('GET', `/api/${path}/brief`, undefined, as(email)))
  return { title, ...Object.fromEntries(sections.map((section: Fields) => [section.key, section])) }
}
const texts = ({ items }: Fields): [string | null, string][] =>
  items.map(({ label, text }: Fields) => [label, text])

/** A company with a deal, two people, a decision, a score, and notes. */
async function useRecord() {
  const company = await create('/api/companies', {
    ...{
      name: 'Acme *Labs*',
      hq_city: 'Berlin',
      founded_year: 2021,
      revenue_eur: 1_200_000,
      tags: ['Nordics'],
    },
    llm_score_overall: 74,
    llm_score_details: { model: 'gpt', criteria: [{ name: 'thesis_fit', score: 90, reason: 'It fits.' }] },
  })
  const id: string = company.id
  const [ceo, cto] = [
    await create('/api/people', {
      name: 'Ingrid',
      companies: [{ company_id: id, role: 'CEO', is_primary: true }],
    }),
    await create('/api/people', { name: 'Olaf', companies: [{ company_id: id, role: null }] }),
  ]
  const deal = await create('/api/dealflow', {
    company_id: id,
    round: 'Seed',
    amount_eur: 500_000,
  })
  await note({
    kind: 'meeting',
    title: 'First',
    about: [about(id)],
    participants: [ceo.id],
    happened_at: daysAgo(20),
  })
  return { id, ceo: ceo.id as string, cto: cto.id as string, deal: deal.id as string }
}

test('a brief of a company has its facts, changes, people, decisions, deals, score, and visible notes', async () => {
  const { id, ceo, deal } = await useRecord()
  await patch(`companies/${id}`, { hq_city: 'Oslo', employee_count: 12 })
  await patch(`companies/${id}`, { employee_count: null, hq_city: 'Bergen' }, bob)
  await patch(`dealflow/${deal}`, { stage: 'due_diligence' })
  await create('/api/decisions', {
    ...{
      company_id: id,
      outcome: 'pass',
      reasons: ['too_early'],
      body: '- **Two** pilots',
      revisit_on: '2099-01-31',
    },
  })
  const { id: open } = await create('/api/decisions', { company_id: id, body: 'Shall we?' })
  await api.call('PUT', `/api/decisions/${open}/vote`, { vote: 'yes' })
  await note({
    kind: 'call',
    about: [about(ceo, 'person')],
    body: '# Price\n\n| a | b |\n|---|---|\n\n*Fine* with 5m',
    happened_at: daysAgo(2),
  })
  await note({ about: [about(deal, 'deal')], body: 'Only Bob', visibility: 'private' }, bob)
  await note({ about: [about(id)], body: 'Long ago', happened_at: daysAgo(200) })

  const brief = await sectionsOf(`companies/${id}`)
  assert.equal(brief.title, 'Acme *Labs*')
  const facts = Object.fromEntries(texts(brief.facts))
  assert.deepEqual(
    [facts['HQ city'], facts.Founded, facts.Revenue, facts.Tags, facts.Status, facts.Employees],
    ['Bergen', '2021', '€1,200,000', 'Nordics', 'Active', undefined],
  )
  assert.equal(brief.changes.title, `Changes since the meeting of ${day(daysAgo(20))}`)
  const changed = new Map(texts(brief.changes))
  assert.equal(changed.get('Deal: Stage'), 'Initial → Due diligence')
  assert.equal(changed.get('HQ city'), 'Berlin → Bergen')
  assert.equal(changed.get('New deal'), 'Acme *Labs*')
  assert.equal(changed.has('Employees'), false, 'it has its first value again')
  assert.equal(brief.changes.items.find((item: Fields) => item.label === 'HQ city').user_email, bob)
  assert.deepEqual(texts(brief.people), [
    ['Ingrid', 'CEO, last contact'],
    ['Olaf', 'no contact yet'],
  ])
  assert.match(
    brief.relationships.items[0].text,
    /^strength \d+, 2 contacts in the last year, 1 meeting, knows Ingrid \(CEO\) best, last call$/,
  )
  assert.deepEqual(texts(brief.decisions), [
    ['Open', 'Shall we? · Votes: 1 yes'],
    ['Pass', 'Too early · Two pilots · Look again on 2099-01-31'],
  ])
  assert.match(
    brief.deals.items[0].text,
    /^Stage Due diligence since \d{4}-\d\d-\d\d; Status Active; .*€500,000/,
  )
  assert.deepEqual(texts(brief.score), [
    ['Overall', '74 of 100, by gpt'],
    ['Thesis fit', '90. It fits.'],
  ])
  assert.deepEqual(texts(brief.notes), [
    ['Call', 'Price a | b Fine with 5m'],
    ['Meeting', 'First: Text'],
  ])
  assert.deepEqual(texts((await sectionsOf(`companies/${id}`, bob)).notes)[0], ['Note (private)', 'Only Bob'])

  const ofDeal = await sectionsOf(`dealflow/${deal}`)
  assert.deepEqual([ofDeal.title, ofDeal.deals.items], ['Acme *Labs*, Seed', []])
  assert.deepEqual(texts(ofDeal.facts)[0], ['Company', 'Acme *Labs*'])
  assert.equal(new Map(texts(ofDeal.changes)).get('Company: HQ city'), 'Berlin → Bergen')
  const ofPerson = await sectionsOf(`people/${ceo}`)
  assert.deepEqual([ofPerson.title, texts(ofPerson.people)], ['Ingrid', [['Acme *Labs*', 'CEO']]])
  assert.deepEqual(texts(ofPerson.decisions)[0]?.[0], 'Acme *Labs*: Open')
  assert.deepEqual(texts(ofPerson.notes).length, 2)
})

test('Markdown shows values as they are, one page has limited sections, and errors name what is allowed', async () => {
  const odd = '# 1. *a* _b_ `c` [d](http://e) <script> | ~~f~~ & \\ \n## g'
  const { id } = await create('/api/companies', { name: odd, activity_description: odd })
  for (let n = 0; n < 11; n++)
    await create('/api/people', {
      name: `${n}. [Person](x) ${n}`,
      companies: [{ company_id: id, role: '*Chief*' }],
    })
  const markdown = (path: string) => api.app.inject({ url: `/api/${path}/brief?format=markdown`, ...as(ada) })
  const page = await markdown(`companies/${id}`)
  assert.equal(page.headers['content-type'], 'text/markdown; charset=utf-8')
  const escaped = '1. \\*a\\* \\_b\\_ \\`c\\` \\[d\\](http://e) \\<script\\> \\| \\~\\~f\\~\\~ \\& \\\\ ## g'
  const lines = page.body.split('\n')
  assert.equal(lines[0], `# \\# ${escaped}`)
  assert.ok(lines.includes(`- **Description:** \\# ${escaped}`), page.body)
  assert.ok(lines.includes('- **0\\. \\[Person\\](x) 0:** \\*Chief\\*, no contact yet'), page.body)
  assert.equal(lines.filter((line) => line === '- and 3 more').length, 1)
  assert.deepEqual(
    lines.filter((line) => line.startsWith('## ')),
    [
      ...['## Facts', '## Changes in the last 30 days (no meeting yet)', '## People', '## Who knows them'],
      ...['## Decisions', '## Deals', '## Score', '## Notes from the last 180 days'],
    ],
  )
  assert.ok(lines.includes('None.'))
  const wrong = await api.call('GET', `/api/companies/${id}/brief?format=pdf`)
  assert.deepEqual([wrong.status, /format.*json.*markdown/.test(wrong.body.details)], [400, true])
  assert.equal((await api.call('GET', '/api/dealflow/df_x/brief')).status, 404)
  await api.call('DELETE', `/api/companies/${id}`)
  assert.match((await api.call('GET', `/api/companies/${id}/brief`)).body.details, /trash/)
})

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { ada } from '#src/testing/settings.ts'
import { decisionsOf, ok } from './decisions.fixture.ts'

const [ben, cleo] = ['ben@example.com', 'cleo@example.com']
let api: TestApp
before(async () => {
  api = await testApp({ EMBEDDINGS: 'off', TIME_ZONE: 'Europe/Berlin' })
  for (const email of [ada, ben, cleo]) await api.call('GET', `/api/users/${email}`)
})
after(() => api.close())

const { company, deal, decide, latest, patch, read } = decisionsOf(() => api)

test('a decision is recorded with its reasons, and a company shows the latest one', async () => {
  const firm = await company('Loomworks')
  const onDeal = await deal(firm)
  const taken = await decide({
    ...{
      company_id: firm,
      deal_id: onDeal,
      outcome: 'Pass',
      reasons: ['Too Early', 'valuation', 'too_early'],
    },
    ...{ body: 'Two **pilots** are not enough.', asked: ['Ben@example.com'], revisit_on: '2031-05-02' },
  })
  const { id, created_at, updated_at, decided_at, as_of, ...shown } = taken
  assert.match(id, /^dec_/)
  assert.deepEqual(shown, {
    ...{ company_id: firm, company_name: 'Loomworks', deal_id: onDeal, outcome: 'pass' },
    ...{ reasons: ['too_early', 'valuation'], body: 'Two **pilots** are not enough.' },
    ...{ asked: ['ben@example.com'], votes: [], revisit_on: '2031-05-02', author_email: 'ada@example.com' },
  })
  assert.ok(decided_at >= created_at && updated_at === created_at && as_of === decided_at)
  assert.deepEqual(await read(id), taken)
  assert.deepEqual(await latest(firm), ['pass', '2031-05-02'])
  const old = { company_id: firm, outcome: 'invest', decided_at: '2019-01-01T00:00:00+01:00' }
  const earlier = await decide(old)
  assert.deepEqual([earlier.decided_at, earlier.as_of], ['2018-12-31T23:00:00.000Z', null])
  await decide({ company_id: firm })
  assert.deepEqual(await latest(firm), ['pass', '2031-05-02'], 'neither an earlier one nor an open one')
  ok(await patch(id, { outcome: 'track', revisit_on: null }))
  assert.deepEqual(await latest(firm), ['track', null])
  ok(await patch(id, { outcome: null }))
  assert.deepEqual(await latest(firm), ['invest', null])
  assert.equal((await read(id)).decided_at, null)
})

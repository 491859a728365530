import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, type TestApp, testApp } from '#src/testing/app.ts'
import { keyOf, sessionCookieOf, userWithRole } from '#src/testing/credentials.ts'
import { loggedRandom } from '#src/testing/random.ts'
import { ada } from '#src/testing/settings.ts'
import { slow } from '#src/testing/slow.ts'
import { as, decisionsOf, type Fields, ok } from './decisions.fixture.ts'

const [mel, olga, vic, pat] = ['mel', 'olga', 'vic', 'pat'].map((name) => `${name}@example.com`) as [
  string,
  string,
  string,
  string,
]
let api: TestApp
before(async () => {
  api = await testApp({ EMBEDDINGS: 'off', ENFORCE_ROLES: 'true' })
  await userWithRole(api, ada, 'admin')
  await userWithRole(api, mel, 'member')
  await userWithRole(api, olga, 'member')
  await userWithRole(api, vic, 'viewer')
  await userWithRole(api, pat, 'partner')
})
after(() => api.close())

const { company, deal, decide, latest, list, patch, read, refused, undo, vote } = decisionsOf(() => api)
const remove = (path: string, email?: string) =>
  api.call('DELETE', `/api/${path}`, undefined, email ? as(email) : {})
const restore = (id: string, email?: string) =>
  api.call('POST', `/api/trash/${id}/restore`, undefined, email ? as(email) : {})
const merge = async (id: string, from: string[]) => {
  const answer = await api.call('POST', `/api/companies/${id}/merge`, { from })
  ok(answer)
  return answer
}
const statusOf = ({ status }: Answer) => status
const companyOf = async (id: string) => (await read(id)).company_id
const passed = (company_id: string, fields = {}) => ({ company_id, outcome: 'pass', ...fields })

test('viewers read decisions, members vote and change their own, and partners change those of others', async () => {
  const firm = await company('Roles')
  const { id } = await decide({ company_id: firm, body: 'Ask' }, mel)
  const own = await decide({ company_id: firm }, olga)
  for (const path of [`decisions/${id}`, 'decisions', 'decisions/reasons', 'decisions/export'])
    assert.equal(statusOf(await api.call('GET', `/api/${path}`, undefined, as(vic))), 200)
  assert.equal(statusOf(await vote(id, { vote: 'yes' }, vic)), 403)
  assert.equal(statusOf(await api.call('POST', '/api/decisions', { company_id: firm }, as(vic))), 403)
  assert.equal(statusOf(await patch(id, { body: 'No' }, vic)), 403)
  assert.equal(statusOf(await vote(id, { vote: 'yes' }, olga)), 200)
  assert.equal(statusOf(await patch(id, { outcome: 'pass' }, olga)), 403)
  assert.equal(statusOf(await remove(`decisions/${id}`, olga)), 403)
  assert.equal(statusOf(await patch(id, { outcome: 'pass' }, mel)), 200)
  assert.equal(statusOf(await patch(id, { outcome: 'track' }, pat)), 200)
  const reasons = { reasons: [{ key: 'team', label: 'Team' }] }
  assert.equal(statusOf(await api.call('PUT', '/api/decisions/reasons', reasons, as(mel))), 403)

  const deletion = await remove(`decisions/${own.id}`, olga)
  assert.equal(statusOf(deletion), 204)
  assert.equal(statusOf(await restore(own.id, mel)), 403)
  assert.equal(statusOf(await restore(own.id, olga)), 200)
  ok(await remove(`decisions/${own.id}`, pat))
  assert.equal(statusOf(await restore(own.id, olga)), 200, 'deleted by a partner')

  const created = await api.call('POST', '/api/decisions', { company_id: firm }, as(mel))
  ok(await vote(ok(created).id, { vote: 'no' }, olga))
  assert.deepEqual((await undo(created, mel)).skipped[0]?.reason, 'built_on')
  assert.equal((await undo(created, pat)).reverted, 1)

  const { headers } = await keyOf(api, await sessionCookieOf(api, mel), { scopes: ['read'] })
  assert.equal(
    statusOf(await api.call('PUT', `/api/decisions/${own.id}/vote`, { vote: 'no' }, { headers })),
    403,
  )
})

test('a decision goes to the trash, comes back, is undone, and is purged', async () => {
  const firm = await company('Trashed')
  const created = await api.call('POST', '/api/decisions', passed(firm, { revisit_on: '2031-01-01' }))
  const { id } = ok(created)
  assert.equal((await undo(created)).reverted, 1)
  assert.deepEqual(await latest(firm), [null, null])
  ok(await restore(id))
  assert.deepEqual(await latest(firm), ['pass', '2031-01-01'])
  const before = await read(id)
  await sleep(5)
  const changed = await patch(id, { outcome: 'invest', body: 'We do', reasons: ['team'], revisit_on: null })
  const after = await read(id)
  assert.deepEqual([after.decided_at, await latest(firm)], [before.decided_at, ['invest', null]])
  const at = (time: string) => api.call('GET', `/api/decisions/${id}?as_of=${time}`)
  assert.deepEqual(ok(await at(before.updated_at)), before)
  const past = ok(await api.call('GET', `/api/companies/${firm}?as_of=${before.updated_at}`)).company
  assert.deepEqual([past.decision_outcome, past.revisit_on], ['pass', '2031-01-01'])
  assert.match(refused(await at('2020-01-01T00:00:00Z'), 404), /did not exist at/)

  const undone = await api.call('POST', `/api/actions/${changed.headers['x-action-id']}/undo`, {})
  assert.equal(ok(undone).reverted, 1)
  assert.deepEqual({ ...(await read(id)), updated_at: before.updated_at }, before)
  assert.equal((await undo(undone)).reverted, 1)
  assert.deepEqual({ ...(await read(id)), updated_at: after.updated_at }, after)

  const deletion = await remove(`decisions/${id}`)
  assert.match(refused(await api.call('GET', `/api/decisions/${id}`), 404), /is in the trash/)
  assert.match(refused(await patch(id, { body: 'x' }), 404), /is in the trash/)
  assert.equal((await list(`company_id=${firm}`)).pagination.total, 0)
  assert.deepEqual(await latest(firm), [null, null])
  const [entry] = (await api.call('GET', '/api/trash?entity_type=decision')).body.data
  assert.deepEqual([entry.id, entry.name], [id, 'Trashed'])
  assert.equal((await undo(deletion)).reverted, 1)
  assert.deepEqual(await latest(firm), ['invest', null])
  const { data } = (await api.call('GET', `/api/activity?entity_id=${id}`)).body
  assert.deepEqual(
    data.map((one: Fields) => [one.activity_type, one.entity_name, one.company_id]).slice(0, 2),
    [
      ['decision_restored', 'Trashed', firm],
      ['decision_deleted', 'Trashed', firm],
    ],
  )
  ok(await remove(`decisions/${id}`))
  ok(await remove(`trash/${id}`))
  assert.equal(statusOf(await restore(id)), 404)
  assert.deepEqual(await latest(firm), [null, null])
})

test('decisions go to the trash with their company, and stay when their deal goes', async () => {
  const firm = await company('Company')
  const onFirm = await deal(firm)
  const { id } = await decide(passed(firm, { deal_id: onFirm, revisit_on: '2031-01-01' }))
  const deleted = await decide(passed(firm, { outcome: 'hold', decided_at: '2020-01-01T00:00:00Z' }))
  ok(await remove(`decisions/${deleted.id}`))
  ok(await remove(`dealflow/${onFirm}`))
  assert.deepEqual([(await read(id)).deal_id, await companyOf(id)], [onFirm, firm])
  ok(await patch(id, await read(id)))
  ok(await remove(`trash/${onFirm}`))
  assert.equal((await read(id)).deal_id, onFirm, 'also a purged one')

  const deletion = await remove(`companies/${firm}`)
  assert.match(refused(await api.call('GET', `/api/decisions/${id}`), 404), /is in the trash/)
  const trashed = (await api.call('GET', '/api/trash?entity_type=decision')).body.data
  assert.deepEqual(
    trashed.filter(({ name }: Fields) => name === 'Company').map((one: Fields) => one.id),
    [deleted.id],
    'those of the company are not listed themselves',
  )
  assert.match(refused(await restore(deleted.id), 409), /^The company cmp_.* is in the trash\. POST/)
  assert.equal(ok(await restore(firm)).restored, 2)
  assert.deepEqual(await latest(firm), ['pass', '2031-01-01'])
  ok(await restore(deleted.id))
  assert.deepEqual(await latest(firm), ['pass', '2031-01-01'])
  ok(await remove(`companies/${firm}`))
  assert.equal((await undo(deletion)).skipped.length, 0)
  assert.equal(await companyOf(id), firm)
  ok(await remove(`companies/${firm}`))
  ok(await remove(`trash/${firm}`))
  for (const gone of [id, deleted.id]) assert.equal(statusOf(await restore(gone)), 404)
  const { data } = (await api.call('GET', `/api/activity?entity_id=${id}`)).body
  assert.equal(data[0].activity_type, 'decision_purged')
})

test('an undo brings back neither a deal that is gone nor a day to look again before the decision', async () => {
  const firm = await company('Gone deal')
  const lost = await deal(firm)
  const { id } = await decide(passed(firm, { deal_id: lost, decided_at: '2026-01-01T09:00:00Z' }))
  const unlinked = await patch(id, { deal_id: null })
  ok(await api.call('DELETE', `/api/dealflow/${lost}`))
  assert.deepEqual((await undo(unlinked)).skipped, [
    { entity_type: 'decision', entity_id: id, field: 'deal_id', reason: 'record_missing' },
  ])
  ok(await patch(id, { revisit_on: '2026-02-01' }))
  const later = await patch(id, { revisit_on: '2026-12-01' })
  ok(await patch(id, { decided_at: '2026-06-01T09:00:00Z' }))
  assert.deepEqual((await undo(later)).skipped, [
    { entity_type: 'decision', entity_id: id, field: 'revisit_on', reason: 'changed_since' },
  ])
  const { deal_id, revisit_on } = await read(id)
  assert.deepEqual([deal_id, revisit_on], [null, '2026-12-01'])
})

test('a merge moves decisions to the survivor, and its undo moves them back', async () => {
  const [one, two, three] = [await company('One'), await company('Two'), await company('Three')]
  const onTwo = await deal(two)
  const a = await decide(passed(one, { decided_at: '2020-01-01T00:00:00Z' }))
  const b = await decide(passed(two, { deal_id: onTwo, outcome: 'track', revisit_on: '2031-01-01' }))
  const c = await decide({ company_id: three })
  const trashed = await decide(passed(two, { outcome: 'hold' }))
  ok(await remove(`decisions/${trashed.id}`))
  const merged = await merge(one, [two, three])
  assert.equal(ok(merged).moved.decisions, 2)
  for (const { id } of [a, b, c]) assert.equal(await companyOf(id), one)
  assert.deepEqual(await latest(one), ['track', '2031-01-01'])
  assert.match(
    refused(await api.call('POST', '/api/decisions', passed(two))),
    new RegExp(`^company_id must be the id of a company; ${two} was merged into ${one}`),
  )
  assert.equal((await read(b.id)).deal_id, onTwo)
  const undone = await api.call('POST', `/api/actions/${merged.headers['x-action-id']}/undo`, {})
  assert.deepEqual(ok(undone).skipped, [])
  assert.deepEqual([await companyOf(b.id), await companyOf(c.id)], [two, three])
  assert.deepEqual(
    [await latest(one), await latest(two)],
    [
      ['pass', null],
      ['track', '2031-01-01'],
    ],
  )
  assert.deepEqual({ ...(await read(b.id)), updated_at: b.updated_at }, b)
  assert.deepEqual((await undo(undone)).skipped, [])
  assert.deepEqual([await companyOf(b.id), await latest(one)], [one, ['track', '2031-01-01']])
  ok(await restore(trashed.id))
  assert.deepEqual([await companyOf(trashed.id), await latest(one)], [one, ['hold', null]])
})

test('whatever happens to decisions and companies, each company shows its latest decision', {
  skip: slow,
}, async (t) => {
  const next = loggedRandom(t)
  const random = (n: number) => Math.floor(next() * n)
  const pick = <T>(values: readonly T[]): T => values[random(values.length)] as T
  const companies = await Promise.all(['A', 'B', 'C'].map((name) => company(name)))
  const decisions: string[] = []
  const actions: Answer[] = []
  const fields = () => {
    const outcome = pick(['pass', 'track', 'hold', null])
    const decided_at = outcome && random(2) ? `202${random(5)}-0${1 + random(9)}-01T10:00:00Z` : undefined
    return {
      outcome,
      ...(decided_at && { decided_at }),
      revisit_on: pick([null, '2032-01-01', '2033-01-01']),
    }
  }
  const steps: (() => Promise<Answer>)[] = [
    async () => {
      const answer = await api.call('POST', '/api/decisions', { company_id: pick(companies), ...fields() })
      if (answer.status === 201) decisions.push(answer.body.data.id)
      return answer
    },
    () => patch(pick(decisions) ?? 'dec_x', fields()),
    () => vote(pick(decisions) ?? 'dec_x', { vote: pick(['yes', 'no']) }),
    () => remove(`decisions/${pick(decisions)}`),
    () => restore(pick([...decisions, ...companies])),
    () => remove(`companies/${pick(companies)}`),
    () => api.call('POST', `/api/companies/${pick(companies)}/merge`, { from: [pick(companies)] }),
    () => api.call('POST', `/api/actions/${pick(actions)?.headers['x-action-id'] ?? 'ax_x'}/undo`, {}),
    () => api.call('POST', `/api/actions/${actions.at(-1)?.headers['x-action-id'] ?? 'ax_x'}/undo`, {}),
  ]
  for (let n = 0; n < 120; n++) {
    // Some of them at the same time.
    for (const answer of await Promise.all(Array.from({ length: 1 + random(4) }, () => pick(steps)()))) {
      assert.ok(answer.status < 500, JSON.stringify(answer.body))
      if (answer.status < 300 && answer.headers['x-action-id']) actions.push(answer)
    }
    const { data } = await list(
      `limit=1000&open=false&${companies.map((id) => `company_id=${id}`).join('&')}`,
    )
    for (const id of companies) {
      const shown = await api.call('GET', `/api/companies/${id}`)
      if (shown.status !== 200) {
        assert.ok(!data.some((one: Fields) => one.company_id === id), `step ${n}: ${id} is gone`)
        continue
      }
      const [newest] = data
        .filter((one: Fields) => one.company_id === id)
        .sort((x: Fields, y: Fields) => (x.decided_at + x.id < y.decided_at + y.id ? 1 : -1))
      const { decision_outcome, revisit_on } = shown.body.data.company
      assert.deepEqual(
        [decision_outcome, revisit_on],
        [newest?.outcome ?? null, newest?.revisit_on ?? null],
        `step ${n}`,
      )
    }
  }
  assert.ok(actions.length > 40, `${actions.length} actions`)
})

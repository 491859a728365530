import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { ada } from '#src/testing/settings.ts'
import { as, decisionsOf, type Fields, ok } from './decisions.fixture.ts'

const [ben, cleo] = ['ben@example.com', 'cleo@example.com']
let api: TestApp
before(async () => {
  api = await testApp({ EMBEDDINGS: 'off', TIME_ZONE: 'Pacific/Auckland' })
  for (const email of [ada, ben, cleo]) await api.call('GET', `/api/users/${email}`)
})
after(() => api.close())

const { company, deal, decide, latest, list, patch, read, refused, undo, vote } = decisionsOf(() => api)
const filtered = (filter: object, url = '/api/decisions') =>
  api.call('GET', url, undefined, { query: { filter: JSON.stringify(filter) } })
const idsIn = (records: Fields[]): string[] => records.map(({ id }) => id)

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

  ok(await api.call('PATCH', `/api/companies/${firm}`, { decision_outcome: 'hold', revisit_on: null }))
  assert.deepEqual(await latest(firm), ['invest', null], 'companies ignore both')
  const { data: history } = (await api.call('GET', `/api/companies/${firm}/history`)).body
  assert.deepEqual(history, [])
  const { recent_activity } = ok(await api.call('GET', `/api/companies/${firm}`))
  assert.deepEqual([...new Set(recent_activity.map((one: Fields) => one.entity_type))].sort(), [
    'company',
    'dealflow',
  ])
})

test('colleagues vote on an open decision, once each, until it is taken', async () => {
  const { id, ...open } = await decide({
    company_id: await company('Voted'),
    asked: [ben],
    body: 'Shall we?',
  })
  assert.deepEqual([open.outcome, open.decided_at, open.as_of], [null, null, null])
  const votes = async () =>
    (await read(id)).votes.map((one: Fields) => [one.user_email, one.vote, one.comment])
  ok(await vote(id, { vote: 'Champion', comment: 'I know them.' }, ben))
  const second = await vote(id, { vote: 'no' }, cleo)
  assert.equal(ok(second).votes.length, 2, 'those who were not asked may vote too')
  const changed = await vote(id, { vote: 'yes' }, ben)
  assert.match(String(changed.headers['x-action-id']), /^ax_/)
  const same = await vote(id, { vote: 'yes' }, ben)
  assert.equal(same.headers['x-action-id'], undefined, 'nothing is recorded for the same vote')
  assert.deepEqual(await votes(), [
    [cleo, 'no', null],
    [ben, 'yes', null],
  ])
  const history = async (field: string) =>
    (await api.call('GET', `/api/decisions/${id}/history?field=${field}`)).body.data
  assert.deepEqual(
    (await history(`votes:${ben}`)).map(({ from, to }: Fields) => [from?.vote ?? null, to.vote]),
    [
      ['champion', 'yes'],
      [null, 'champion'],
    ],
  )
  assert.equal((await undo(changed, ben)).reverted, 1)
  assert.deepEqual(await votes(), [
    [ben, 'champion', 'I know them.'],
    [cleo, 'no', null],
  ])
  const others = await undo(second)
  assert.deepEqual([others.reverted, others.skipped[0]?.reason], [0, 'not_yours'])

  const taken = ok(await patch(id, { outcome: 'hold' }))
  assert.equal(taken.votes.length, 2)
  const closed = `The decision ${id} was taken at ${taken.decided_at} (hold), so votes are closed. PATCH it with an outcome of null to open it again.`
  assert.equal(refused(await vote(id, { vote: 'no' }), 409), closed)
  const takeBack = () => api.call('DELETE', `/api/decisions/${id}/vote`, undefined, as(cleo))
  assert.equal(refused(await takeBack(), 409), closed)
  assert.equal((await undo(second, cleo)).skipped[0]?.reason, 'changed_since')
  ok(await patch(id, { outcome: null }))
  const { status, headers } = await takeBack()
  assert.equal(status, 204)
  assert.deepEqual(await votes(), [[ben, 'champion', 'I know them.']])
  assert.match(refused(await takeBack(), 404), /^cleo@example.com has not voted on the decision dec_/)
  assert.equal((await undo({ status, headers, body: null }, cleo)).reverted, 1)
  assert.equal((await votes()).length, 2)
  assert.match(refused(await vote(id, { vote: 'maybe' })), /vote must be one of champion, yes, no, abstain/)
})

test('wrong input is refused with the field and what is allowed', async () => {
  const [firm, other, trashed] = [await company('Firm'), await company('Other'), await company('Trashed')]
  const [onFirm, onOther] = [await deal(firm), await deal(other)]
  ok(await api.call('DELETE', `/api/companies/${trashed}`))
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
  const cases: [fields: object, details: string | RegExp][] = [
    [
      { company_id: 'cmp_x' },
      'company_id must be the id of a company; none has the id cmp_x. POST /api/companies creates one.',
    ],
    [
      { company_id: trashed },
      `company_id must be the id of a company; ${trashed} is in the trash. POST /api/trash/${trashed}/restore brings it back.`,
    ],
    [
      { deal_id: onOther },
      `deal_id must be the id of a deal of the company ${firm}; ${onOther} is a deal of Other (${other}).`,
    ],
    [
      { deal_id: 'df_x' },
      `deal_id must be the id of a deal of the company ${firm}; none has the id df_x. POST /api/dealflow creates one.`,
    ],
    [
      { reasons: ['team', 'weather'] },
      /^reasons\[1\] must be one of too_early, valuation, team, .*, not "weather"\. PUT/,
    ],
    [
      { asked: [ben, 'nobody@example.com'] },
      'asked[1] must be the email address of a user, not "nobody@example.com".',
    ],
    [{ body: 'ä'.repeat(51_201) }, /^body must have at most 100 KB/],
    [{ outcome: 'maybe' }, /outcome must be/],
    [{ decided_at: '2020-01-01T00:00:00Z' }, /^decided_at must be null while outcome is null/],
    [{ outcome: 'pass', decided_at: tomorrow }, `decided_at must not be in the future, but is ${tomorrow}.`],
    // In Auckland it is already the second day.
    [
      { outcome: 'pass', decided_at: '2020-01-01T20:00:00Z', revisit_on: '2020-01-01' },
      'revisit_on must not be before the day of the decision, 2020-01-02 in Pacific/Auckland, but is 2020-01-01.',
    ],
    [{ revisit_on: '2020-02-30' }, /revisit_on/],
  ]
  for (const [fields, expected] of cases) {
    const details = refused(await api.call('POST', '/api/decisions', { company_id: firm, ...fields }))
    if (typeof expected === 'string') assert.equal(details, expected)
    else assert.match(details, expected)
  }
  const { id } = await decide({ company_id: firm, outcome: 'pass', decided_at: '2020-01-01T20:00:00Z' })
  assert.match(refused(await patch(id, { revisit_on: '2020-01-01' })), /^revisit_on must not be before/)
  assert.match(
    refused(await patch(id, { decided_at: null })),
    /^decided_at must be a time while outcome is set/,
  )
  assert.match(refused(await patch(id, { deal_id: onOther })), /is a deal of Other/)
  assert.match(refused(await patch(id, { asked: [ben, 'nobody@example.com'] })), /^asked\[1\]/)
  ok(await patch(id, { revisit_on: '2020-01-02', deal_id: onFirm }))
  assert.match(
    refused(await patch(id, { decided_at: '2020-01-03T00:00:00Z' })),
    /^revisit_on must not be before/,
  )
  const stale = { headers: { ...as(ada).headers, 'if-match': '"2020-01-01T00:00:00.000Z"' } }
  refused(await api.call('PATCH', `/api/decisions/${id}`, { body: 'New' }, stale), 412)
  refused(await api.call('GET', '/api/decisions/dec_x'), 404)
  refused(await vote('dec_x', { vote: 'no' }), 404)
})

test('reasons are configured, and a decision keeps one that was removed', async () => {
  const path = '/api/decisions/reasons'
  const before = ok(await api.call('GET', path))
  assert.deepEqual(
    before.reasons.map(({ key }: Fields) => key).join(' '),
    'too_early valuation team market conflict competition fit terms timing traction',
  )
  const firm = await company('Reasons')
  const { id } = await decide({ company_id: firm, outcome: 'pass', reasons: ['timing', 'team'] })
  const reasons = [
    { key: 'Team', label: ' The team ' },
    { key: 'weather', label: 'Weather' },
  ]
  const put = (body: object, updated_at: string) =>
    api.call('PUT', path, body, { headers: { ...as(ada).headers, 'if-match': `"${updated_at}"` } })
  const changed = ok(await put({ ...before, reasons }, before.updated_at))
  assert.deepEqual([changed.reasons[0], changed.updated_by], [{ key: 'team', label: 'The team' }, ada])
  refused(await put({ reasons }, before.updated_at), 412)
  for (const [second, field] of [
    [{ key: 'team', label: 'Other' }, 'key'],
    [{ key: 'other', label: 'the TEAM' }, 'label'],
  ] as const)
    assert.match(
      refused(await api.call('PUT', path, { reasons: [reasons[0], second] })),
      new RegExp(`^reasons\\[1\\]\\.${field} must be unique: reasons\\[0\\] already has`),
    )
  const whole = await read(id)
  assert.equal(ok(await patch(id, whole)).updated_at, whole.updated_at, 'what was read can be sent back')
  assert.deepEqual(ok(await patch(id, { reasons: ['weather', 'timing'] })).reasons, ['weather', 'timing'])
  assert.match(
    refused(await patch(id, { reasons: ['terms'] })),
    /^reasons\[0\] must be one of team, weather, not "terms"/,
  )
  const fields = (await api.call('GET', '/api/fields?entity=decision')).body.data
  const { options } = fields.find(({ name }: Fields) => name === 'reasons')
  assert.deepEqual(options.slice(0, 2), [
    { id: 'team', label: 'The team' },
    { id: 'weather', label: 'Weather' },
  ])
  assert.ok(options.some((one: Fields) => one.id === 'timing' && one.label === 'Timing'))
  ok(await put({ reasons: before.reasons }, changed.updated_at))
  const { rows: events } = await sql<{ kind: string; id: string | null }>`
    select distinct kind, record_id as id from events where record_id = ${id} or kind = 'reason'
    order by kind`.execute(api.context.db)
  assert.deepEqual(events, [
    { kind: 'decision', id },
    { kind: 'reason', id: null },
  ])
})

test('decisions are listed, filtered, counted, sorted, and exported', async () => {
  const [one, two] = [await company('Alpha'), await company('Beta')]
  const onTwo = await deal(two)
  const at = (day: number) => `2021-03-0${day}T09:00:00.000Z`
  const market = { company_id: one, outcome: 'pass', reasons: ['market', 'competition'] }
  const a = await decide({ ...market, decided_at: at(1), revisit_on: '2021-09-01' })
  const b = await decide({ company_id: two, deal_id: onTwo, outcome: 'invest', decided_at: at(3) }, ben)
  const c = await decide({ ...market, company_id: two, reasons: ['competition'], decided_at: at(2) })
  const d = await decide({ company_id: one, asked: [ben, cleo], body: '=1+1' })
  ok(await vote(d.id, { vote: 'yes', comment: 'Go' }, ben))
  const of = `company_id=${one}&company_id=${two}`
  const listed = async (query: string, email = ada) => {
    const { data, pagination } = await list(`${of}&${query}`, email)
    assert.equal(pagination.total, data.length)
    return idsIn(data)
  }
  assert.deepEqual(await listed(''), [d.id, b.id, c.id, a.id], 'open ones first, then last decided first')
  assert.deepEqual(await listed('reason=competition'), [c.id, a.id])
  assert.deepEqual(await listed('reason=market&reason=Competition'), [c.id, a.id])
  assert.deepEqual(await listed('outcome=pass&outcome=invest'), [b.id, c.id, a.id])
  assert.deepEqual(await listed('open=true'), [d.id])
  assert.deepEqual(await listed('open=false&author_email=me', ben), [b.id])
  assert.deepEqual(await listed('asked=me', cleo), [d.id])
  assert.deepEqual(await listed(`deal_id=${onTwo}`), [b.id])
  assert.deepEqual(await listed('sort=company_name,-decided_at'), [a.id, d.id, b.id, c.id])
  const found = async (filter: object) =>
    idsIn((await filtered({ and: [{ field: 'company_id', op: 'in', value: [one, two] }, filter] })).body.data)
  assert.deepEqual(await found({ field: 'revisit_on', op: 'lte', value: 'today' }), [a.id])
  assert.deepEqual(await found({ field: 'reasons', op: 'in', value: ['market'] }), [a.id])
  assert.deepEqual(await found({ field: 'outcome', op: 'is_empty' }), [d.id])
  assert.deepEqual(await found({ field: 'voted', op: 'in', value: [ben] }), [d.id])
  assert.deepEqual(await found({ field: 'company_name', op: 'eq', value: 'Beta' }), [b.id, c.id])
  refused(await api.call('GET', '/api/decisions?outcome=maybe'))

  const csv = await api.app.inject({ url: `/api/decisions/export?company_id=${one}`, ...as(ada) })
  const lines = csv.body.trim().split('\r\n')
  assert.equal(lines.length, 3)
  assert.match(lines[1] ?? '', /,Alpha,,pass,market; competition,,,,2021-03-01T09:00:00.000Z,2021-09-01,ada@/)
  assert.match(lines[2] ?? '', /,'=1\+1,ben@example.com; cleo@example.com,ben@example.com: yes \(Go\),/)
})

test('companies are filtered, sorted, and exported by their latest decision', async () => {
  const [due, later, open] = [await company('Due'), await company('Later'), await company('Open')]
  const decided_at = '2022-01-05T00:00:00Z'
  await decide({ company_id: due, outcome: 'pass', decided_at, revisit_on: '2022-06-01' })
  await decide({ company_id: later, outcome: 'track', revisit_on: '2035-06-01' })
  await decide({ company_id: open, revisit_on: '2022-06-01' })
  const own = { field: 'id', op: 'in', value: [due, later, open] }
  const found = async (...filters: object[]) =>
    idsIn((await filtered({ and: [own, ...filters] }, '/api/companies')).body.data)
  const isDue = { field: 'revisit_on', op: 'lte', value: 'today' }
  assert.deepEqual(await found(isDue, { field: 'decision_outcome', op: 'eq', value: 'pass' }), [due])
  assert.deepEqual(await found({ field: 'decision_outcome', op: 'is_empty' }), [open])
  const { data } = (
    await api.call('POST', '/api/companies/query', {
      filter: own,
      sort: [{ field: 'revisit_on', direction: 'desc' }],
    })
  ).body
  assert.deepEqual(
    data.map(({ id, decision_outcome, revisit_on }: Fields) => [id, decision_outcome, revisit_on]),
    [
      [later, 'track', '2035-06-01'],
      [due, 'pass', '2022-06-01'],
      [open, null, null],
    ],
  )
  const filter = JSON.stringify({ and: [own, isDue] })
  const csv = await api.app.inject({ url: '/api/companies/export', query: { filter }, ...as(ada) })
  const [header = '', row = ''] = csv.body.split('\r\n')
  const cell = (name: string) => row.split(',')[header.split(',').indexOf(name)]
  assert.deepEqual([cell('decision_outcome'), cell('revisit_on')], ['pass', '2022-06-01'])
  const imported = ok(
    await api.call('POST', '/api/companies/import', undefined, {
      headers: { ...as(ada).headers, 'content-type': 'text/csv' },
      payload: csv.body,
    }),
  )
  assert.deepEqual([imported.failed, imported.created], [0, 0])
  assert.deepEqual(await latest(due), ['pass', '2022-06-01'])
})

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { about, as, type Fields, notesOf, ok } from '#src/features/notes/notes.fixture.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { loggedRandom } from '#src/testing/random.ts'
import { ada } from '#src/testing/settings.ts'

const bob = 'bob@example.com'
const DAY_MS = 86_400_000

let api: TestApp
before(async () => {
  api = await testApp({ EMBEDDINGS: 'off', WORKER: 'off' })
})
after(() => api.close())

const { company, create, note } = notesOf(() => api)
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString()
const get = async (path: string): Promise<Fields> => ok(await api.call('GET', `/api/${path}`))
const person = async (name: string, company_id?: string, role?: string): Promise<string> =>
  (await create('/api/people', { name, companies: company_id ? [{ company_id, role: role ?? null }] : [] }))
    .id
const columns = ({ last_contact_at, last_contact_by, contacts_last_year }: Fields) => [
  last_contact_at,
  last_contact_by,
  contacts_last_year,
]
const ofCompany = async (id: string, query = '') => columns((await get(`companies/${id}${query}`)).company)
const ofPerson = async (id: string, query = '') => columns(await get(`people/${id}${query}`))
const NEVER = [null, null, 0]

test('a contact is a team-visible call, meeting, or email that is over, with people, companies, and deals', async () => {
  const id = await company()
  const ceo = await person('Ceo', id, 'CEO')
  const past = await person('Past', id)
  await api.call('PUT', `/api/companies/${id}/people/${past}`, { until: '2020-01-31' })
  const deal = (await create('/api/dealflow', { company_id: id })).id
  await note({ kind: 'note', about: [about(id)], happened_at: daysAgo(1) })
  await note({ kind: 'call', about: [about(id)], happened_at: daysAgo(2), visibility: 'private' })
  await note({ kind: 'meeting', about: [about(id)], happened_at: daysAgo(-1) })
  await note({ kind: 'call', about: [about(past, 'person')], happened_at: daysAgo(3) })
  assert.deepEqual([await ofCompany(id), await ofPerson(ceo)], [NEVER, NEVER])

  const [year, call, meeting, late] = [400, 30, 20, 10].map(daysAgo)
  await note({ kind: 'email', about: [about(id)], participants: [ceo], happened_at: year })
  await note(
    { kind: 'call', about: [about(id), about(ceo, 'person')], participants: [ceo], happened_at: call },
    bob,
  )
  const own = { kind: 'meeting', about: [about(deal, 'deal')], happened_at: meeting }
  const { id: meetingId } = await note(own)
  assert.deepEqual(await ofCompany(id), [meeting, ada, 2])
  assert.deepEqual(await ofPerson(ceo), [call, bob, 1])

  const elsewhere = await company('Elsewhere')
  const last = await note({ kind: 'call', about: [about(elsewhere)], participants: [ceo], happened_at: late })
  assert.deepEqual(await ofCompany(id), [late, ada, 3])
  assert.deepEqual(await ofCompany(id, `?as_of=${encodeURIComponent(new Date().toISOString())}`), [
    late,
    ada,
    3,
  ])
  await create('/api/notes', { parent_id: last.id, body: 'A reply is no contact.' }, bob)
  await api.call('DELETE', `/api/companies/${elsewhere}`)
  assert.deepEqual(await ofCompany(id), [meeting, ada, 2], 'all that the note is about is in the trash')
  await api.call('DELETE', `/api/notes/${meetingId}`)
  assert.deepEqual(await ofCompany(id), [call, bob, 1])
  const day = new Date().toISOString().slice(0, 10)
  await api.call('PUT', `/api/companies/${id}/people/${ceo}`, { until: '2021-01-01' })
  assert.deepEqual(await ofCompany(id), [call, bob, 1], 'it is also about the company')
  await api.call('PUT', `/api/companies/${id}/people/${past}`, { until: day })
  assert.equal((await ofCompany(id))[2], 2, 'the last day still counts')
})

test('lists and exports have the columns, filter and sort by them, and a PATCH ignores them', async () => {
  const word = 'Sortable'
  const [old, recent, never] = [
    await company(`${word} 1`),
    await company(`${word} 2`),
    await company(`${word} 3`),
  ]
  await note({ kind: 'call', about: [about(old)], happened_at: daysAgo(90) })
  await note({ kind: 'call', about: [about(recent)], happened_at: daysAgo(5) }, bob)
  await note({ kind: 'call', about: [about(recent)], happened_at: daysAgo(6) }, bob)
  const people = [
    await person(`${word} A`, old),
    await person(`${word} B`, recent),
    await person(`${word} C`),
  ]
  await note({ kind: 'email', about: [about(people[1] as string, 'person')], happened_at: daysAgo(4) })
  await note({ kind: 'email', about: [about(people[0] as string, 'person')], happened_at: daysAgo(80) })
  const found = async (list: string, query: string) => {
    const { body } = await api.call('GET', `/api/${list}?search=${word}&${query}`)
    assert.equal(body.pagination?.total, body.data?.length, JSON.stringify(body))
    return body.data.map(({ id }: Fields) => id)
  }
  const filter = (field: string, op: string, value?: unknown) =>
    `filter=${encodeURIComponent(JSON.stringify({ field, op, value }))}`
  assert.deepEqual(await found('companies', 'sort=-last_contact_at'), [recent, old, never])
  assert.deepEqual(await found('companies', 'sort=last_contact_at:nulls_last'), [old, recent, never])
  assert.deepEqual(await found('companies', 'sort=-contacts_last_year,name'), [recent, old, never])
  assert.deepEqual(await found('companies', filter('last_contact_at', 'gte', '-30d')), [recent])
  assert.deepEqual(await found('companies', filter('last_contact_at', 'is_empty')), [never])
  assert.deepEqual(await found('companies', filter('last_contact_by', 'eq', bob)), [])
  assert.deepEqual(await found('companies', filter('contacts_last_year', 'gte', 3)), [recent])
  assert.deepEqual(await found('people', 'sort=-last_contact_at'), [people[1], people[0], people[2]])
  assert.deepEqual(await found('people', filter('last_contact_by', 'eq', 'me')), [people[1], people[0]])
  const queried = await api.call('POST', '/api/companies/query', {
    search: word,
    sort: [{ field: 'last_contact_at', direction: 'desc', nulls: 'first' }],
  })
  assert.deepEqual(
    queried.body.data.map(({ id }: Fields) => id),
    [never, recent, old],
  )
  const listed = (await api.call('GET', `/api/companies?search=${word}&limit=1&sort=-last_contact_at`)).body
    .data[0]
  assert.deepEqual(columns(listed), await ofCompany(recent))
  for (const list of ['companies', 'people']) {
    const csv = (await api.call('GET', `/api/${list}/export?search=${word}`)).body.split('\r\n')
    const header = (csv[0] as string).split(',')
    const cell = (row: number, name: string) =>
      (csv[row] as string).split(',').at(header.indexOf(name) - header.length)
    const [at, by, count] =
      list === 'companies' ? await ofCompany(recent) : await ofPerson(people[1] as string)
    assert.deepEqual(
      ['last_contact_at', 'last_contact_by', 'contacts_last_year'].map((name) => cell(2, name)),
      [at, by, String(count)],
    )
  }
  const before = await ofCompany(old)
  const patched = await api.call('PATCH', `/api/companies/${old}`, {
    last_contact_at: null,
    contacts_last_year: 9,
  })
  assert.deepEqual(columns(ok(patched)), before)
  assert.equal(patched.headers['x-action-id'], undefined, 'nothing was changed')
  const own = await api.call('PATCH', `/api/people/${people[0]}`, { last_contact_by: bob })
  assert.deepEqual(columns(ok(own)), await ofPerson(people[0] as string))
})

test('relationships count contacts per colleague, meetings and recent ones more, and name the best known person', async () => {
  const id = await company('Known')
  const [ceo, cto] = [await person('Ceo Known', id, 'CEO'), await person('Cto Known', id, 'CTO')]
  const met = (kind: string, days: number, participants: string[], email = ada) =>
    note({ kind, about: [about(id)], participants, happened_at: daysAgo(days) }, email)
  for (const days of [1, 2, 3]) await met('meeting', days, [ceo])
  await met('call', 1.5, [cto])
  await met('email', 500, [cto], bob)
  await met('call', 0.5, [], 'cleo@example.com')
  await note({ kind: 'meeting', about: [about(id)], happened_at: daysAgo(1), visibility: 'private' }, bob)
  const { data, pagination } = (await api.call('GET', `/api/companies/${id}/relationships`)).body
  assert.deepEqual(
    data.map((one: Fields) => [one.user_email, one.contacts, one.contacts_last_year, one.meetings_last_year]),
    [
      [ada, 4, 4, 3],
      ['cleo@example.com', 1, 1, 0],
      [bob, 1, 0, 0],
    ],
  )
  assert.deepEqual(
    data.map((one: Fields) => [
      one.person_name,
      one.role,
      one.person_meetings_last_year,
      one.person_contacts_last_year,
    ]),
    [
      ['Ceo Known', 'CEO', 3, 3],
      [null, null, 0, 0],
      ['Cto Known', 'CTO', 0, 0],
    ],
  )
  // Eleven points, almost all of today: 100 × (1 − 2^(−11/6)) = 71.9. A call of today: 20.6.
  assert.deepEqual(
    data.map((one: Fields) => [one.strength, one.last_contact_kind]),
    [
      [71, 'meeting'],
      [21, 'call'],
      [0, 'email'],
    ],
  )
  assert.equal(pagination.total, 3)
  const paged = (await api.call('GET', `/api/companies/${id}/relationships?limit=1&offset=1`)).body
  assert.deepEqual([paged.data[0].user_email, paged.pagination.hasMore], ['cleo@example.com', true])
  const ofCto = await get(`people/${cto}/relationships`)
  assert.deepEqual(
    ofCto.map((one: Fields) => [one.user_email, one.contacts, one.strength]),
    [
      [ada, 1, 20],
      [bob, 1, 0],
    ],
  )
  await note({ kind: 'call', about: [about(cto, 'person')], happened_at: '0900-01-01T00:00:00.000Z' })
  assert.equal((await get(`people/${cto}/relationships`))[0].contacts, 2)
  assert.equal((await api.call('GET', '/api/people/per_x/relationships')).status, 404)
  await api.call('DELETE', `/api/people/${ceo}`)
  assert.equal((await get(`companies/${id}/relationships`))[0].person_name, 'Cto Known')
  assert.match((await api.call('GET', `/api/people/${ceo}/relationships`)).body.details, /trash/)
})

interface Known {
  notes: {
    id: string
    kind: string
    visibility: string
    parent_id: string | null
    happened_at: Date
    author_email: string
  }[]
  links: { record_id: string; relation: string; target_id: string }[]
  jobs: { person_id: string; company_id: string; until_on: string | null }[]
  deals: { id: string; company_id: string }[]
  ids: string[]
  trash: string[]
}

/** The columns of every record, computed here from the notes and links. */
async function recompute(): Promise<Map<string, unknown[]>> {
  const { rows } = await sql<Known>`select
    (select coalesce(json_agg(notes), '[]') from notes) as notes, (select coalesce(json_agg(links), '[]') from links) as links,
    (select coalesce(json_agg(company_people), '[]') from company_people) as jobs,
    (select coalesce(json_agg(dealflow), '[]') from dealflow) as deals,
    array(select id from companies union all select id from people) as ids, array(select id from trash) as trash`.execute(
    api.context.db,
  )
  const { notes, links, jobs, deals, ids, trash } = rows[0] as Known
  const today = new Date().toISOString().slice(0, 10)
  const contacts = notes.flatMap((one) => {
    const own = links.filter(({ record_id }) => record_id === one.id)
    const subjects = own.filter(({ relation }) => relation === 'about')
    // What a note is about may have been purged.
    const isListed = subjects.length === 0 || subjects.some(({ target_id }) => !trash.includes(target_id))
    const at = new Date(one.happened_at)
    if (!['call', 'meeting', 'email'].includes(one.kind) || one.visibility !== 'team' || one.parent_id)
      return []
    return isListed && at <= new Date() ? [{ ...one, at, with: own.map(({ target_id }) => target_id) }] : []
  })
  const reached = (id: string) => [
    id,
    ...deals.filter(({ company_id }) => company_id === id).map((deal) => deal.id),
    ...jobs
      .filter(
        (job) => job.company_id === id && ids.includes(job.person_id) && (job.until_on ?? today) >= today,
      )
      .map(({ person_id }) => person_id),
  ]
  const valuesOf = (id: string) => {
    const own = contacts
      .filter((one) => reached(id).some((target) => one.with.includes(target)))
      .sort((a, b) => +b.at - +a.at || (a.id < b.id ? 1 : -1))
    const ofYear = own.filter(({ at }) => +at >= Date.now() - 365 * DAY_MS)
    return [own[0]?.at.toISOString() ?? null, own[0]?.author_email ?? null, ofYear.length]
  }
  return new Map(ids.map((id) => [id, valuesOf(id)]))
}

test('the columns agree with the notes after any sequence of changes, undos, merges, and deletions', async (t) => {
  const random = loggedRandom(t)
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T
  const records = { company: [] as string[], deal: [] as string[], person: [] as string[] }
  for (let n = 0; n < 5; n++) {
    records.company.push(await company(`Random ${n}`))
    records.person.push(await person(`Random ${n}`, pick(records.company)))
    records.deal.push((await create('/api/dealflow', { company_id: pick(records.company) })).id)
  }
  const { company: companies, person: people } = records
  const [notes, actions]: [string[], string[]] = [[], []]
  const links = () => {
    const type = pick(['company', 'deal', 'person'] as const)
    return { about: [about(pick(records[type]), type)], participants: random() < 0.5 ? [pick(people)] : [] }
  }
  const fields = () => ({
    kind: pick(['note', 'call', 'meeting', 'email']),
    happened_at: daysAgo(Math.floor(random() * 800) - 100),
    visibility: random() < 0.8 ? 'team' : 'private',
    ...links(),
  })
  const others = (list: string[], id: string) => list.filter((one) => one !== id)
  const requests: (() => Parameters<TestApp['call']>)[] = [
    () => ['POST', '/api/notes', { body: 'Text', ...fields() }, as(pick([ada, bob]))],
    () => ['POST', '/api/notes', { body: 'Text', ...fields() }],
    () => ['PATCH', `/api/notes/${pick(notes)}`, fields()],
    () => ['PATCH', `/api/notes/${pick(notes)}`, pick([{ kind: 'call' }, links(), { visibility: 'team' }])],
    () => [
      'DELETE',
      `/api/${pick([`notes/${pick(notes)}`, `companies/${pick(companies)}`, `people/${pick(people)}`])}`,
    ],
    () => ['DELETE', `/api/notes/${pick(notes)}`],
    () => ['POST', `/api/trash/${pick([...notes, ...companies, ...people])}/restore`],
    () => ['POST', `/api/trash/${pick([...notes, ...companies, ...people])}/restore`],
    () => ['POST', `/api/actions/${pick(actions)}/undo`, {}],
    () => ['POST', `/api/actions/${pick(actions)}/undo`, {}],
    () => {
      const id = pick(companies)
      return ['POST', `/api/companies/${id}/merge`, { from: [pick(others(companies, id))] }]
    },
    () => {
      const id = pick(people)
      return ['POST', `/api/people/${id}/merge`, { from: [pick(others(people, id))] }]
    },
    () => [
      'PUT',
      `/api/companies/${pick(companies)}/people/${pick(people)}`,
      { until: pick([null, '2024-05-01']) },
    ],
    () => ['DELETE', `/api/companies/${pick(companies)}/people/${pick(people)}`],
    () => ['DELETE', `/api/trash/${pick([...notes, ...notes, pick(companies)])}`],
  ]
  notes.push((await note(fields())).id)
  actions.push('ax_none')
  let changes = 0
  for (let step = 1; step <= 300; step++) {
    const answer = await api.call(...pick(requests)())
    assert.ok(answer.status < 500, JSON.stringify(answer.body))
    if (answer.headers['x-action-id']) actions.push(String(answer.headers['x-action-id']))
    if (answer.status === 201) notes.push(answer.body.data.id)
    if (answer.status < 300) changes++
    if (step % 10 > 0) continue
    const shown = await Promise.all(
      ['companies', 'people'].map(async (list) => (await get(`${list}?limit=1000`)) as Fields[]),
    )
    const actual = new Map(shown.flat().map((record) => [record.id, columns(record)]))
    assert.deepEqual(actual, new Map([...(await recompute())].filter(([id]) => actual.has(id))))
    assert.ok(actual.size > 0)
  }
  assert.ok(changes > 50, `${changes} changes`)
})

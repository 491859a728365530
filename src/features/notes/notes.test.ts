import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { ada } from '#src/testing/settings.ts'
import { about, as, type Fields, notesOf, ok } from './notes.fixture.ts'

const [ben, cleo] = ['ben@example.com', 'cleo@example.com']
let api: TestApp
before(async () => {
  api = await testApp({ EMBEDDINGS: 'off' })
  for (const email of [ada, ben, cleo]) await api.call('GET', `/api/users/${email}`)
})
after(() => api.close())

const { create, company, note, read, patch, list, bodies } = notesOf(() => api)

test('a note is written with defaults and links in their order, read, listed, changed and kept in the history', async () => {
  const [one, two] = [await company('One'), await company('Two')]
  const person = (await create('/api/people', { name: 'Ingrid' })).id
  const deal = (await create('/api/dealflow', { company_id: two, stage: 'meeting' })).id
  const thesis = (await create('/api/theses', { code: 'TX', title: 'Textiles' })).id
  const entries = [
    about(two),
    about(deal, 'deal'),
    about(person, 'person'),
    about(thesis, 'thesis'),
    about(one),
  ]
  const { status, body, headers } = await api.call(
    'POST',
    '/api/notes',
    {
      ...{ kind: 'call', title: '  Pricing   talk ', body: 'They charge **per robot**.', about: entries },
      ...{ mentions: ['BEN@example.com', 'ben@example.com'], participants: [person], pinned: true },
      happened_at: '2026-03-02T09:00:00+01:00',
    },
    as(ada),
  )
  assert.equal(status, 201)
  assert.match(String(headers['x-action-id']), /^ax_/)
  const { id, created_at, updated_at, ...fields } = body.data
  assert.match(id, /^note_/)
  assert.equal(created_at, updated_at)
  assert.deepEqual(fields, {
    ...{ kind: 'call', title: 'Pricing talk', body: 'They charge **per robot**.' },
    happened_at: '2026-03-02T08:00:00.000Z',
    about: entries.map((entry, n) => ({ ...entry, name: ['Two', 'Two', 'Ingrid', 'Textiles', 'One'][n] })),
    mentions: [ben],
    participants: [{ id: person, name: 'Ingrid' }],
    ...{ pinned: true, parent_id: null, replies: 0, visibility: 'team', author_email: ada, source: null },
  })
  assert.deepEqual(await read(id, ben), body.data)
  assert.deepEqual((await list(`about=${deal}`)).data, [body.data])

  const changed = ok(await patch(id, { about: [about(one), about(two)], title: '' }))
  assert.deepEqual([changed.title, changed.about.map(({ name }: Fields) => name)], [null, ['One', 'Two']])
  const again = ok(await patch(id, changed))
  assert.equal(again.updated_at, changed.updated_at)
  const history = ok(await api.call('GET', `/api/notes/${id}/history`))
  assert.deepEqual(
    history
      .map(({ field, from, to }: Fields) => [
        field,
        from && typeof from === 'object' ? from.type : from,
        to?.type,
      ])
      .sort(),
    [
      [`about.${deal}`, 'deal', undefined],
      [`about.${person}`, 'person', undefined],
      [`about.${thesis}`, 'thesis', undefined],
      [`about.${two}`, 'company', 'company'],
      ['title', 'Pricing talk', undefined],
    ].sort(),
  )
  const earlier = ok(await api.call('GET', `/api/notes/${id}?as_of=${created_at}`))
  assert.deepEqual(earlier, body.data)
})

test('wrong input is a 400 that names the field and says what is allowed', async () => {
  const id = await company()
  const reply = await note({ parent_id: (await note({ about: [about(id)] })).id })
  const gone = await company()
  ok(await api.call('DELETE', `/api/companies/${gone}`))
  const deal = (await create('/api/dealflow', { company_id: id })).id
  for (const [fields, message] of [
    [{ body: undefined }, /^body is required\./],
    [{ body: ' \n\t' }, /^body must have text/],
    [
      { body: 'é'.repeat(51_201) },
      /^body must have at most 100 KB \(102400 bytes in UTF-8\), but has 102402/,
    ],
    [{ body: 'x'.repeat(1_000_000) }, /^body must have at most 100 KB/],
    [{ about: undefined }, /^about is required/],
    [{ about: [] }, /^about must be an array of 1 to 50 items, not 0\.$/],
    [{ about: Array(51).fill(about(id)) }, /^about must be an array of 1 to 50 items, not 51\.$/],
    [
      { about: [about(id), about('cmp_none')] },
      /^about\[1\]\.id must be the id of a company; none has the id cmp_none/,
    ],
    [
      { about: [about(gone)] },
      new RegExp(`^about\\[0\\]\\.id must be the id of a company; ${gone} is in the trash`),
    ],
    [
      { about: [about(id), about(deal)] },
      /^about\[1\]\.id must be the id of a company, but df_\w+ is the id of a deal/,
    ],
    [{ about: [about(id), about(id)] }, /^about\[1\]\.id must not be listed twice/],
    [{ about: [{ type: 'note', id }] }, /^about\[0\]\.type must be one of company, deal, person, thesis/],
    [
      { participants: [id] },
      /^participants\[0\] must be the id of a person, but cmp_\w+ is the id of a company/,
    ],
    [{ participants: ['per_none'] }, /^participants\[0\] must be the id of a person; none has/],
    [{ mentions: [ben, 'no@example.com'] }, /^mentions\[1\] must be the email address of a user/],
    [{ kind: 'tweet' }, /^kind must be one of note, call, meeting, email/],
    [{ title: ' ' }, /^title must be/],
    [{ happened_at: '2026-02-30T00:00:00Z' }, /^happened_at must be a time/],
    [
      { parent_id: reply.id, about: undefined },
      /^parent_id must be the id of a note that is no reply itself/,
    ],
    [{ parent_id: 'note_none', about: undefined }, /^parent_id must be the id of a note; none has/],
    [{ parent_id: reply.parent_id }, /^about must not be sent with parent_id/],
    [{ parent_id: reply.parent_id, about: undefined, visibility: 'team' }, /^visibility must not be sent/],
  ] as const) {
    const answer = await api.call('POST', '/api/notes', { body: 'x', about: [about(id)], ...fields }, as(ada))
    assert.equal(answer.status, 400, `${JSON.stringify(answer.body)} instead of ${message}`)
    assert.match(answer.body.details, message)
  }
  const anonymous = { headers: { 'x-user-email': '' } }
  const secret = { body: 'x', about: [about(id)], visibility: 'private' }
  const refused = await api.call('POST', '/api/notes', secret, anonymous)
  assert.deepEqual([refused.status, /no one could read/.test(refused.body.details)], [400, true])
  const limit = { body: `"${'\\'.repeat(102_400 - 2)}"`, about: [about(id)] }
  assert.equal((await create('/api/notes', limit)).body.length, 102_400)
  for (const [fields, message] of [
    [{ body: ' ' }, /^body must have text/],
    [{ about: [] }, /^about must be/],
    [{ about: [about(gone)] }, /is in the trash/],
    [{ mentions: ['no@example.com'] }, /^mentions\[0\]/],
    [{ visibility: 'private' }, /^A reply takes visibility from its parent/],
    [{ about: [about(deal, 'deal')] }, /^A reply takes about from its parent/],
  ] as const) {
    const answer = await patch(reply.id, fields)
    if (message.source.includes('trash')) assert.equal(answer.status, 400)
    else
      assert.deepEqual([answer.status, message.test(answer.body.details)], [400, true], answer.body.details)
  }
})

test('replies are listed with their note only, follow what it is about, and go to the trash and back with it', async () => {
  const [one, two] = [await company(), await company()]
  const parent = await note({ about: [about(one)] })
  const first = await note({ parent_id: parent.id, body: 'First', participants: [] }, ben)
  const second = await note({ parent_id: parent.id, body: 'Second' })
  assert.deepEqual([first.about, first.parent_id], [parent.about, parent.id])
  assert.deepEqual(await bodies(`parent_id=${parent.id}`), ['First', 'Second'])
  const { data, pagination } = await list(`about=${one}`)
  assert.deepEqual([data.length, data[0].replies, pagination.total], [1, 2, 1])
  assert.deepEqual(await bodies(`about=${one}&search=second`), ['Second'])
  ok(await patch(parent.id, { about: [about(two)] }))
  assert.deepEqual((await read(first.id)).about[0].id, two)

  ok(await api.call('DELETE', `/api/notes/${second.id}`))
  const deletion = await api.call('DELETE', `/api/notes/${parent.id}`, undefined, as(ada))
  assert.equal(deletion.status, 204)
  assert.equal((await api.call('GET', `/api/notes/${first.id}`)).status, 404)
  const trash = ok(await api.call('GET', '/api/trash?entity_type=note'))
  assert.deepEqual(
    trash.slice(0, 2).map(({ id, name }: Fields) => [id, name]),
    [
      [parent.id, 'Text'],
      [second.id, 'Second'],
    ],
  )
  const refused = await api.call('POST', `/api/trash/${second.id}/restore`)
  assert.deepEqual([refused.status, /which note_\w+ is a reply to/.test(refused.body.details)], [409, true])
  assert.equal(ok(await api.call('POST', `/api/trash/${parent.id}/restore`)).restored, 2)
  assert.deepEqual(await read(first.id), { ...first, about: [{ ...about(two), name: 'Loomworks' }] })
  assert.equal(ok(await api.call('POST', `/api/trash/${second.id}/restore`)).restored, 1)
  const undone = ok(await api.call('POST', `/api/actions/${deletion.headers['x-action-id']}/undo`, {}))
  assert.deepEqual(undone.skipped, [])
  assert.deepEqual(await bodies(`parent_id=${parent.id}`), ['First', 'Second'])

  ok(await api.call('DELETE', `/api/notes/${second.id}`))
  ok(await api.call('DELETE', `/api/notes/${parent.id}`))
  ok(await api.call('DELETE', `/api/trash/${parent.id}`))
  for (const { id } of [parent, first, second])
    assert.equal((await api.call('POST', `/api/trash/${id}/restore`)).status, 404)
})

test('a private note and its replies exist for the author and those mentioned only', async () => {
  const id = await company('Hush')
  const secret = await note({
    about: [about(id)],
    visibility: 'private',
    mentions: [ben],
    body: 'Whisper loud',
  })
  const reply = await note({ parent_id: secret.id, body: 'Whisper back' }, ben)
  assert.equal(reply.visibility, 'private')
  const everywhere = async (email: string) => [
    (await api.call('GET', `/api/notes/${secret.id}`, undefined, as(email))).status,
    (await api.call('GET', `/api/notes/${reply.id}`, undefined, as(email))).status,
    (await api.call('GET', `/api/notes/${secret.id}/history`, undefined, as(email))).status,
    (await list(`about=${id}`, email)).pagination.total,
    (await list('search=whisper', email)).pagination.total,
    (await list(`parent_id=${secret.id}`, email)).pagination.total,
    (await api.call('GET', `/api/notes/export?about=${id}`, undefined, as(email))).body.split('\n').length,
  ]
  for (const email of [ada, ben]) assert.deepEqual(await everywhere(email), [200, 200, 200, 1, 2, 1, 4])
  for (const email of [cleo, '']) assert.deepEqual(await everywhere(email), [404, 404, 404, 0, 0, 0, 2])
  for (const [method, fields] of [
    ['PATCH', { body: 'x' }],
    ['DELETE', undefined],
  ] as const) {
    const answer = await api.call(method, `/api/notes/${secret.id}`, fields, as(cleo))
    assert.deepEqual([answer.status, answer.body.details], [404, `No note has the id ${secret.id}.`])
  }
  const answer = await api.call('POST', '/api/notes', { body: 'x', parent_id: secret.id }, as(cleo))
  assert.match(answer.body.details, /^parent_id must be the id of a note; none has the id/)
  const shout = { body: 'x', parent_id: secret.id, mentions: [cleo] }
  assert.match(
    (await api.call('POST', '/api/notes', shout, as(ben))).body.details,
    /^mentions\[0\] must be someone who can read/,
  )

  const stolen = await patch(secret.id, { visibility: 'team' }, ben)
  assert.deepEqual(
    [stolen.status, stolen.body.details],
    [403, 'Only the author of a note may change its visibility.'],
  )
  ok(await patch(secret.id, { mentions: [cleo] }))
  assert.deepEqual((await everywhere(cleo)).slice(0, 2), [200, 200])
  assert.deepEqual((await everywhere(ben)).slice(0, 2), [404, 200])
  ok(await patch(secret.id, { visibility: 'team' }))
  assert.deepEqual(await everywhere('dora@example.com'), [200, 200, 200, 1, 2, 1, 4])
  assert.equal((await read(reply.id, cleo)).visibility, 'team')
  ok(await api.call('DELETE', `/api/notes/${reply.id}`))
  ok(await patch(secret.id, { visibility: 'private', mentions: [] }))
  ok(await api.call('DELETE', `/api/notes/${secret.id}`, undefined, as(ada)))
  const trashed = await api.call('GET', `/api/notes/${secret.id}`, undefined, as(cleo))
  assert.equal(trashed.body.details, `No note has the id ${secret.id}.`)
  const { rows } = await api.context.db
    .selectFrom('private_records')
    .selectAll()
    .orderBy('id')
    .execute()
    .then((all) => ({ rows: all }))
  assert.deepEqual(
    rows.filter((row) => [secret.id, reply.id].includes(row.id)).map(({ readers }) => readers),
    [[ada], [ben, ada]],
  )
})

test('notes are filtered, sorted and searched, with the passage that was found', async () => {
  const id = await company('Searchable')
  const at = (day: number) => `2025-01-${10 + day}T00:00:00.000Z`
  const written = [
    {
      kind: 'meeting',
      body: '# Kick-off\n\nWe met **Björn** of [Größe AG](https://x.example) in Zürich.',
      happened_at: at(1),
    },
    {
      kind: 'call',
      title: 'Churn',
      body: `${'Lorem ipsum dolor. '.repeat(30)}The *churn* rate is 3.5% at ada@loom.example.`,
      happened_at: at(3),
    },
    { kind: 'note', body: 'Pinned facts', pinned: true, happened_at: at(0), mentions: [ben] },
  ]
  for (const fields of written) await note({ about: [about(id)], ...fields })
  const of = (query: string, email = ada) => bodies(`about=${id}&${query}`, email)
  const [kickOff, churn, facts] = written.map(({ body }) => body)
  assert.deepEqual(await of(''), [facts, churn, kickOff])
  assert.deepEqual(await of('sort=happened_at'), [facts, kickOff, churn])
  assert.deepEqual(await of('kind=call&kind=meeting'), [churn, kickOff])
  assert.deepEqual(await of('mentions=me', ben), [facts])
  assert.deepEqual(await of('author_email=me', ben), [])
  assert.deepEqual(await of('pinned=false&visibility=team'), [churn, kickOff])
  const tree = {
    and: [
      { field: 'happened_at', op: 'gte', value: '2025-01-11' },
      { field: 'about', op: 'eq', value: id },
      { not: { field: 'title', op: 'contains', value: 'CHURN' } },
    ],
  }
  assert.deepEqual(await bodies(`filter=${encodeURIComponent(JSON.stringify(tree))}`), [kickOff])
  for (const [search, found] of Object.entries({
    'bjorn zurich': [kickOff],
    bjoern: [kickOff],
    Groesse: [kickOff],
    GRÖSSE: [kickOff],
    'kick-off': [kickOff],
    'off kick': [kickOff],
    'loom.example': [churn],
    'chur ips': [churn],
    '3.5%': [churn],
    'fact & pin': [facts],
    acts: [],
    "%_\\ '": [],
    "':*&|!": [],
  }))
    assert.deepEqual(await of(`search=${encodeURIComponent(search)}`), found, search)
  const passageOf = async (search: string) => {
    const [{ passage }] = (await list(`about=${id}&search=${search}`)).data
    return [passage.text, passage.matches.map(([start, end]: Fields) => passage.text.slice(start, end))]
  }
  assert.deepEqual(await passageOf('bjoern'), ['Kick-off We met Björn of Größe AG in Zürich.', ['Björn']])
  const [text, matches] = await passageOf('churn')
  assert.deepEqual(
    [text.startsWith('…'), text.endsWith('The churn rate is 3.5% at ada@loom.example.'), matches],
    [true, true, ['churn']],
  )
  assert.ok(text.length < 170, text)
})

test('bodies of the largest size are saved and searched, whatever they consist of', async () => {
  const id = await company('Large')
  const limit = 100 * 1024 - 'needle '.length
  const fill = (text: string) => text.repeat(limit / Buffer.byteLength(text))
  const distinct = Array.from({ length: 20_000 }, (_value, n) => n.toString(36)).join(' ')
  const largest = ['x', '学', '👩‍🚀', '\u0001', 'ﷺ', '<b>', '|-|\n', '*_`', '[a](', '> > ', '￼ '].map(fill)
  for (const body of [...largest, distinct]) {
    const { id: created } = await note({
      about: [about(id)],
      body: `needle ${body}`,
    })
    const [found] = (await list(`search=needle&about=${id}`)).data
    assert.equal(found.id, created)
    assert.deepEqual(found.passage.matches[0], [0, 6], JSON.stringify(found.passage))
    assert.ok(found.passage.text.length <= 162)
    ok(await api.call('DELETE', `/api/notes/${created}`))
  }
  assert.equal((await list(`search=${'y'.repeat(1000)}`)).pagination.total, 0)
  assert.equal((await list(`search=${encodeURIComponent('学'.repeat(1000))}`)).pagination.total, 0)
})

test('notes are activity of their own, not of companies, and export as CSV', async () => {
  const id = await company('Exported')
  const written = await note({ about: [about(id)], body: '## First line\nand more, "quoted"' })
  const [latest] = ok(await api.call('GET', `/api/activity?entity_id=${written.id}`))
  assert.deepEqual(
    [latest.activity_type, latest.entity_name, latest.company_id],
    ['note_created', 'First line', null],
  )
  const detail = ok(await api.call('GET', `/api/companies/${id}`))
  assert.deepEqual(
    detail.recent_activity.map(({ activity_type }: Fields) => activity_type),
    ['company_created'],
  )
  const { body: text, headers } = await api.call('GET', `/api/notes/export?about=${id}`)
  assert.match(String(headers['content-disposition']), /notes\.csv/)
  assert.match(text, /^id,kind,title,body,happened_at,about,about_ids,/)
  assert.match(
    text,
    new RegExp(`^${written.id},note,,"## First line\\nand more, ""quoted""",.*,Exported,${id},`, 'm'),
  )
})

test('replies have the visibility of their note at each time, and are found by whom they mention', async () => {
  const parent = await note({ about: [about(await company())], mentions: [ben] })
  const reply = await note({ parent_id: parent.id, body: 'Look', mentions: [ben] })
  assert.deepEqual((await list('mentions=me', ben)).data[0].id, reply.id)
  const { headers } = await patch(parent.id, { visibility: 'private' })
  const hidden = await read(reply.id)
  assert.equal(hidden.visibility, 'private')
  assert.notEqual(hidden.updated_at, reply.updated_at)
  const history = ok(await api.call('GET', `/api/notes/${reply.id}/history`, undefined, as(ada)))
  assert.deepEqual(
    history.map(({ field, from, to }: Fields) => [field, from, to]),
    [['visibility', 'team', 'private']],
  )
  const at = async (time: string) =>
    ok(await api.call('GET', `/api/notes/${reply.id}?as_of=${time}`, undefined, as(ada))).visibility
  assert.deepEqual([await at(reply.created_at), await at(hidden.updated_at)], ['team', 'private'])
  const undo = (action: unknown) => api.call('POST', `/api/actions/${action}/undo`, {}, as(ada))
  const undone = ok(await undo(headers['x-action-id']))
  assert.deepEqual([undone.reverted, undone.skipped], [2, []])
  assert.equal((await read(reply.id, 'cy@example.com')).visibility, 'team')
  assert.deepEqual(ok(await undo(undone.action_id)).reverted, 2)
  assert.equal((await read(reply.id)).visibility, 'private')
})

test('the author of a private note is told that it is in the trash, and no one else', async () => {
  const { id } = await note({ about: [about(await company())], visibility: 'private' })
  ok(await api.call('DELETE', `/api/notes/${id}`, undefined, as(ada)))
  const details = async (email: string) =>
    (await api.call('GET', `/api/notes/${id}`, undefined, as(email))).body.details
  assert.match(await details(ada), /is in the trash\. POST \/api\/trash\/note_\w+\/restore brings it back/)
  assert.match(await details(ben), /^No note has the id/)
})

test('the name of a note without a title is its first line without Markdown', async () => {
  const id = await company('Named')
  const names: [body: string, name: string][] = [
    ['Asked about **churn**, _twice_, and `NRR`', 'Asked about churn, twice, and NRR'],
    ['\n> ### __Call__ with [Ada](https://x.example) ##\nMore', 'Call with Ada'],
    ['- [x] *Send* the ~~old~~ deck', 'Send the old deck'],
    ['2. Ask for snake_case and 3 * 4 * 5', 'Ask for snake_case and 3 * 4 * 5'],
    ['```sql\nselect 1\n```', 'select 1'],
    ['**Bold** start, 1 \\* 2', 'Bold start, 1 * 2'],
    ['***', '***'],
  ]
  for (const [body, name] of names) {
    const written = await note({ about: [about(id)], body })
    const [latest] = ok(await api.call('GET', `/api/activity?entity_id=${written.id}`))
    assert.equal(latest.entity_name, name)
  }
})

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Answer, type TestApp, testApp } from '#src/testing/app.ts'
import { testServer } from '#src/testing/database.ts'
import { about, type Fields, notesOf, ok } from './notes.fixture.ts'

let api: TestApp
before(async () => {
  api = await testApp({ EMBEDDINGS: 'off' })
})
after(() => api.close())

const { create, company, note, read, patch, list, bodies } = notesOf(() => api)

test('a note is in lists again once one of the records that it is about is restored', async () => {
  const [one, two] = [await company('One'), await company('Two')]
  const deal = (await create('/api/dealflow', { company_id: one })).id
  const { id } = await note({ about: [about(deal, 'deal'), about(one), about(two)], body: 'Followed' })
  await note({ parent_id: id, body: 'Followed too' })
  const counts = async () => [
    (await list('search=followed')).pagination.total,
    (await api.call('GET', `/api/notes/${id}`)).status,
  ]
  ok(await api.call('DELETE', `/api/companies/${one}`))
  assert.deepEqual(
    [await counts(), (await read(id)).about.map(({ name }: Fields) => name)],
    [[2, 200], ['Two']],
  )
  const changed = ok(await patch(id, { about: [about(two)], title: 'Kept' }))
  assert.deepEqual(
    changed.about.map(({ name }: Fields) => name),
    ['Two'],
  )
  ok(await api.call('DELETE', `/api/companies/${two}`))
  assert.deepEqual(await counts(), [0, 404])
  const { details } = (await api.call('GET', `/api/notes/${id}`)).body
  assert.match(details, /^All records that the note note_\w+ is about are in the trash, such as/)
  ok(await api.call('POST', `/api/trash/${one}/restore`))
  assert.deepEqual(
    [await counts(), (await read(id)).about.map(({ type }: Fields) => type)],
    [
      [2, 200],
      ['deal', 'company'],
    ],
  )
  ok(await api.call('DELETE', `/api/notes/${id}`))
  ok(await api.call('DELETE', `/api/companies/${one}`))
  ok(await api.call('POST', `/api/trash/${id}/restore`))
  assert.deepEqual(await counts(), [0, 404])
  ok(await api.call('DELETE', `/api/trash/${one}`))
  assert.deepEqual(await counts(), [0, 404])
  assert.match(
    (await api.call('GET', `/api/notes/${id}`)).body.details,
    new RegExp(`is about ${two}, which is in the trash`),
  )
  ok(await api.call('DELETE', `/api/trash/${two}`))
  assert.deepEqual([await counts(), (await read(id)).about], [[2, 200], []])
})

test('the notes about a person include those in which the person took part, each once', async () => {
  const person = (await create('/api/people', { name: 'Ingrid' })).id
  const told = { about: [about(await company())], participants: [person] }
  const meeting = await note({ ...told, body: 'Met' })
  await note({ parent_id: meeting.id, body: 'Met again' })
  await note({ ...told, about: [about(person, 'person'), ...told.about], body: 'Both' })
  await note({ about: told.about, body: 'Without' })
  assert.deepEqual(await bodies(`about=${person}`), ['Both', 'Met'])
  assert.equal((await list(`about=${person}`)).pagination.total, 2)
  assert.deepEqual((await bodies(`about=${person}&search=met`)).sort(), ['Met', 'Met again'])
  const filter = JSON.stringify({ field: 'about', op: 'eq', value: person })
  assert.deepEqual(await bodies(`filter=${encodeURIComponent(filter)}`), ['Both'])
})

test('undoing one change of links leaves the others, and skips records that are gone', async () => {
  const [one, two, three] = [await company('One'), await company('Two'), await company('Three')]
  const { id } = await note({ about: [about(one)] })
  const first = await patch(id, { about: [about(one), about(two)] })
  ok(await patch(id, { about: [about(two), about(three)] }))
  const undo = async (answer: Answer) =>
    ok(await api.call('POST', `/api/actions/${answer.headers['x-action-id']}/undo`, {}))
  assert.deepEqual((await undo(first)).skipped, [])
  assert.deepEqual(
    (await read(id)).about.map(({ name }: Fields) => name),
    ['Three'],
  )
  const swapped = await patch(id, { about: [about(two)] })
  ok(await api.call('DELETE', `/api/companies/${three}`))
  const { skipped } = await undo(swapped)
  assert.deepEqual(
    skipped.map(({ field, reason }: Fields) => [field, reason]).sort(),
    [
      [`about.${three}`, 'record_missing'],
      [`about.${two}`, 'record_missing'],
    ].sort(),
  )
  assert.deepEqual(
    (await read(id)).about.map(({ name }: Fields) => name),
    ['Two'],
  )
})

test('a note is in no list after the last two records that it is about were deleted at the same time', async () => {
  for (let round = 0; round < 4; round++) {
    const companies = [await company(), await company()]
    const { id } = await note({ about: companies.map((one) => about(one)), body: 'Simultaneous' })
    await Promise.all(companies.map((one) => api.call('DELETE', `/api/companies/${one}`)))
    assert.equal((await api.call('GET', `/api/notes/${id}`)).status, 404)
    await Promise.all(companies.map((one) => api.call('POST', `/api/trash/${one}/restore`)))
    assert.equal((await read(id)).about.length, 2)
    ok(await api.call('DELETE', `/api/notes/${id}`))
  }
})

test('what was read can be sent back after records were restored or purged', async () => {
  const companies = await Promise.all(Array.from({ length: 51 }, () => company()))
  const [first = ''] = companies
  const { id } = await note({ about: companies.slice(0, 50).map((one) => about(one)) })
  ok(await api.call('DELETE', `/api/companies/${first}`))
  ok(await patch(id, { about: companies.slice(1).map((one) => about(one)) }))
  ok(await api.call('POST', `/api/trash/${first}/restore`))
  const full = await read(id)
  assert.equal(full.about.length, 51)
  const saved = ok(await patch(id, { ...full, title: 'All' }))
  assert.deepEqual([saved.title, saved.about], ['All', full.about])
  const reversed = await patch(id, { about: full.about.toReversed() })
  assert.equal(reversed.status, 400)
  assert.match(reversed.body.details, /^about must be an array of 1 to 50 entries, but has 51/)
  const unknown = await patch(id, { about: [{ ...about(first), role: 'x' }] })
  assert.deepEqual([unknown.status, /role/.test(unknown.body.details)], [400, true], unknown.body.details)

  const gone = await company()
  const left = await note({ about: [about(gone)] })
  const reply = await note({ parent_id: left.id })
  ok(await api.call('DELETE', `/api/companies/${gone}`))
  ok(await api.call('DELETE', `/api/trash/${gone}`))
  for (const one of [left, reply]) {
    const present = await read(one.id)
    assert.deepEqual(present.about, [])
    assert.equal(ok(await patch(one.id, { ...present, title: 'Kept' })).title, 'Kept')
  }
})

test('changes lock notes after the records that they are about, as merges do', {
  skip: !testServer && 'the embedded database has one connection',
}, async () => {
  const [one, kept] = [await company(), await company()]
  const { id } = await note({ about: [about(one), about(kept)] })
  const removal = () => patch(id, { about: [about(kept)] })
  const changeDuringMerge = (change: () => Promise<Answer>) =>
    api.context.db.transaction().execute(async (merge) => {
      await sql`select from companies where id = ${one} for update`.execute(merge)
      const answer = change()
      await Promise.race([answer, setTimeout(1000)])
      await sql`select from notes where id = ${id} for update nowait`.execute(merge)
      return { answer }
    })
  const removed = await (await changeDuringMerge(removal)).answer
  ok(removed)
  const undo = () => api.call('POST', `/api/actions/${removed.headers['x-action-id']}/undo`, {})
  assert.equal(ok(await (await changeDuringMerge(undo)).answer).reverted, 1)
  assert.equal((await read(id)).about.length, 2)
})

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { createRandom } from '#src/cli/demo/random.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { ada } from '#src/testing/settings.ts'
import { slow } from '#src/testing/slow.ts'
import { about, as, type Fields, notesOf, ok } from './notes.fixture.ts'

const CASES = Number(process.env.MERGE_CASES ?? 200)
const SEED = Number(process.env.MERGE_SEED ?? 23)

const ben = 'ben@example.com'
let api: TestApp
before(async () => {
  api = await testApp({ EMBEDDINGS: 'off', WORKER: 'off' })
  for (const email of [ada, ben]) await api.call('GET', `/api/users/${email}`)
})
after(() => api.close())

const { create, company, note, read, list } = notesOf(() => api)
const random = createRandom(SEED)
const chance = (share: number) => random() < share
const merge = async (id: string, from: string[], email = ada) =>
  ok(await api.call('POST', `/api/companies/${id}/merge`, { from }, as(email)))
const undo = async (action_id: string) => ok(await api.call('POST', `/api/actions/${action_id}/undo`, {}))
const restore = async (id: string) => ok(await api.call('POST', `/api/trash/${id}/restore`))
const idsIn = (entries: Fields[]) => entries.map(({ id }) => id)

/** Notes, their links and readers, also in the trash, except when they were last changed. */
async function readAll(ids: string[]): Promise<Fields> {
  const { rows } = await sql<{ all: Fields }>`
    select json_build_object(
      'notes', (select json_agg(to_jsonb(row) - 'updated_at' order by row.id) from notes row where id = any(${ids})),
      'trash', (select json_agg(json_build_array(row.id, parent_id, content::jsonb #- '{record,updated_at}') order by row.id)
        from trash row where id = any(${ids})),
      'links', (select json_agg(row order by record_id, relation, target_id) from links row where record_id = any(${ids})),
      'readers', (select json_agg(row order by row.id) from private_records row where id = any(${ids})),
      'unlisted', (select json_agg(row order by row.id) from unlisted_records row where id = any(${ids}))) as all`.execute(
    api.context.db,
  )
  return rows[0]?.all
}

/** Deletes some of the notes that exist, and restores some of those in the trash. Returns which. */
async function toggleSome({ notes, trash }: Fields): Promise<string[]> {
  const live = (notes ?? []).filter(({ parent_id }: Fields) => !parent_id).map(({ id }: Fields) => id)
  const deleted = (trash ?? []).filter(([, parent_id]: Fields) => !parent_id).map(([id]: Fields) => id)
  const ids = [...live.filter(() => chance(0.2)), ...deleted.filter(() => chance(0.5))]
  for (const id of ids) await toggle(id)
  return ids
}

async function toggle(id: string): Promise<void> {
  const { status } = await api.call('DELETE', `/api/notes/${id}`)
  if (status === 404) await restore(id)
}

async function createNotes(companies: string[], person: string, deals: string[]): Promise<string[]> {
  const ids: string[] = []
  do {
    const entries = [
      ...companies.filter(() => chance(0.5)).map((id) => about(id)),
      ...deals.filter(() => chance(0.2)).map((id) => about(id, 'deal')),
      ...(chance(0.2) ? [about(person, 'person')] : []),
    ].sort(() => random() - 0.5)
    if (entries.length === 0) continue
    const { id } = await note(
      {
        about: entries,
        participants: chance(0.3) ? [person] : [],
        ...(chance(0.3) && { visibility: 'private', mentions: [ada] }),
      },
      random([ada, ben]),
    )
    ids.push(id)
    if (chance(0.3)) ids.push((await note({ parent_id: id })).id)
    if (chance(0.15)) ok(await api.call('DELETE', `/api/notes/${id}`))
  } while (ids.length === 0 || chance(0.6))
  return ids
}

/** The ids of the notes in lists of a company after a merge, as the user who can see all of them. */
function expectedNotes(before: Fields, companies: string[]): string[] {
  const live = new Set(
    (before.notes ?? []).filter(({ parent_id }: Fields) => !parent_id).map(({ id }: Fields) => id),
  )
  const linked = before.links.filter(
    ({ relation, target_id }: Fields) => relation === 'about' && companies.includes(target_id),
  )
  return [...new Set<string>(linked.map(({ record_id }: Fields) => record_id))].filter((id) => live.has(id))
}

test(`${CASES} random merges move notes, and undos bring all of them back (seed ${SEED})`, {
  skip: slow,
}, async () => {
  const person = (await create('/api/people', { name: 'Ingrid' })).id
  for (let n = 0; n < CASES; n++) {
    const companies = [await company(), await company(), ...(chance(0.4) ? [await company()] : [])]
    const [survivor, ...from] = companies as [string, ...string[]]
    const deals = chance(0.5) ? [(await create('/api/dealflow', { company_id: random(companies) })).id] : []
    const ids = await createNotes([...companies, ...(chance(0.5) ? [await company()] : [])], person, deals)
    const isNested = from.length === 2 && chance(0.5)
    const before = await readAll(ids)
    const nested = isNested ? await merge(from[0] as string, [from[1] as string]) : undefined
    const previous = await readAll(ids)
    const merged = await merge(survivor, isNested ? from.slice(0, 1) : from)
    const actual = idsIn((await list(`about=${survivor}`)).data)
    assert.deepEqual(actual.sort(), expectedNotes(before, companies).sort(), `case ${n}`)

    const toggled = await toggleSome(previous)
    const undone = await undo(merged.action_id)
    for (const id of toggled) await toggle(id)
    assert.deepEqual(undone.skipped, [])
    assert.deepEqual(await readAll(ids), previous, `case ${n}`)
    if (chance(0.2)) {
      await undo(undone.action_id)
      assert.deepEqual(idsIn((await list(`about=${survivor}`)).data).sort(), actual)
      continue
    }
    if (nested) await undo(nested.action_id)
    assert.deepEqual(await readAll(ids), before, `case ${n}`)
  }
})

test('a note keeps the place of what it is about, once, and private notes of others move too', async () => {
  const [one, two, three] = [await company('One'), await company('Two'), await company('Three')]
  const both = await note({ about: [about(two), about(three), about(one)] })
  const single = await note({ about: [about(three), about(two)], visibility: 'private' })
  const { moved, action_id } = await merge(one, [two], ben)
  assert.equal(moved.notes, 1, 'without the private one')
  const names = async (id: string) => (await read(id)).about.map(({ name }: Fields) => name)
  assert.deepEqual(
    [await names(both.id), await names(single.id)],
    [
      ['Three', 'One'],
      ['Three', 'One'],
    ],
  )
  const dry = { from: [one], dry_run: true }
  assert.equal(ok(await api.call('POST', `/api/companies/${three}/merge`, dry)).moved.notes, 2)
  assert.deepEqual((await undo(action_id)).skipped, [])
  assert.deepEqual((await read(both.id)).about, both.about)
  assert.deepEqual((await read(single.id)).about, single.about)
})

test('a note that was in the trash during a merge comes back to the survivor', async () => {
  const [one, two] = [await company('One'), await company('Two')]
  const { id } = await note({ about: [about(two)] })
  ok(await api.call('DELETE', `/api/notes/${id}`))
  const { action_id } = await merge(one, [two])
  await restore(id)
  assert.deepEqual([(await list(`about=${one}`)).pagination.total, idsIn((await read(id)).about)], [1, [one]])
  assert.deepEqual((await undo(action_id)).skipped, [])
  assert.deepEqual(idsIn((await read(id)).about), [two])
})

test('the undo of a merge brings links back that a deleted note has', async () => {
  const [one, two] = [
    await create('/api/people', { name: 'One' }),
    await create('/api/people', { name: 'Two' }),
  ]
  const { id } = await note({ about: [about(two.id, 'person')], participants: [two.id] })
  const { action_id } = ok(await api.call('POST', `/api/people/${one.id}/merge`, { from: [two.id] }))
  ok(await api.call('DELETE', `/api/notes/${id}`))
  const undone = await undo(action_id)
  await restore(id)
  const linked = async () => {
    const { about, participants } = await read(id)
    return [...idsIn(about), ...idsIn(participants)]
  }
  assert.deepEqual([undone.skipped, await linked()], [[], [two.id, two.id]])
  ok(await api.call('DELETE', `/api/notes/${id}`))
  const { skipped } = await undo(undone.action_id)
  await restore(id)
  assert.deepEqual([skipped, await linked()], [[], [one.id, one.id]])
})

test('an undo puts links of a deleted note back, and names what it cannot', async () => {
  const [one, two] = [await company('One'), await company('Two')]
  const { id } = await note({ about: [about(one)] })
  const patch = { about: [about(two)], title: 'Two' }
  const answer = await api.call('PATCH', `/api/notes/${id}`, patch)
  ok(await api.call('DELETE', `/api/notes/${id}`))
  const { reverted, skipped } = await undo(String(answer.headers['x-action-id']))
  assert.deepEqual([reverted, skipped.map(({ reason }: Fields) => reason)], [1, ['in_trash']])
  await restore(id)
  const { about: entries, title } = await read(id)
  assert.deepEqual([idsIn(entries), title], [[one], 'Two'])
})

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { createRandom } from '#src/cli/demo/random.ts'
import { type Answer, type TestApp, testApp } from '#src/testing/app.ts'
import { isQuick } from '#src/testing/slow.ts'

const CASES = Number(process.env.MERGE_CASES ?? (isQuick ? 20 : 200))
const SEED = Number(process.env.MERGE_SEED ?? 17)

let api: TestApp
before(async () => {
  api = await testApp({ EMBEDDINGS: 'off', WORKER: 'off' })
})
after(() => api.close())

// biome-ignore lint/suspicious/noExplicitAny: tests assert what they expect
type Fields = any
const ok = ({ status, body }: Answer): Fields => {
  assert.ok(status < 300, `${status} ${JSON.stringify(body)}`)
  return body?.data
}
const random = createRandom(SEED)
const chance = (share: number) => random() < share
const company = async (): Promise<string> =>
  ok(await api.call('POST', '/api/companies', { name: `Company ${random()}` })).id
const create = async (companies: object[]): Promise<string> =>
  ok(await api.call('POST', '/api/people', { name: `Person ${random()}`, companies })).id
const merge = (id: string, from: string[]) => api.call('POST', `/api/companies/${id}/merge`, { from })
const undo = async (action_id: string) => ok(await api.call('POST', `/api/actions/${action_id}/undo`, {}))
const companiesOf = async (id: string) =>
  ok(await api.call('GET', `/api/people/${id}`)).companies.map((one: Fields) => [
    one.company_id,
    one.role,
    one.is_primary,
  ])

/** People and their links, also in the trash, except when they were last changed. */
async function readAll(ids: string[]): Promise<Fields> {
  const { rows } = await sql<{ all: Fields }>`
    select json_build_object(
      'people', (select json_agg(to_jsonb(row) - 'updated_at' order by row.id) from people row where id = any(${ids})),
      'trash', (select json_agg(json_build_array(row.id, content::jsonb #- '{record,updated_at}') order by row.id)
        from trash row where id = any(${ids})),
      'links', (select json_agg(row order by person_id, company_id) from company_people row
        where person_id = any(${ids}))) as all`.execute(api.context.db)
  return rows[0]?.all
}

const randomLink = (company_id: string) => ({
  company_id,
  role: random(['CEO', 'CTO', null]),
  from: random(['2020-01-01', null]),
  until: random(['2024-12-31', null]),
})

async function createPeople(companies: string[]): Promise<string[]> {
  const ids = []
  do {
    const links = companies.filter(() => chance(0.6)).map(randomLink)
    const primary = chance(0.7) ? random(links) : undefined
    const id = await create(links.map((link) => (link === primary ? { ...link, is_primary: true } : link)))
    if (chance(0.15)) ok(await api.call('DELETE', `/api/people/${id}`))
    ids.push(id)
  } while (chance(0.6))
  return ids
}

/** Deletes a person, or restores one who is in the trash. */
async function toggle(id: string): Promise<void> {
  const { status } = await api.call('DELETE', `/api/people/${id}`)
  if (status === 404) ok(await api.call('POST', `/api/trash/${id}/restore`))
}

/** Who is linked to a company after a merge, with the primary company. */
function expectedLinks(before: Fields, survivor: string, from: string[]): unknown[] {
  const visible = new Set((before.people ?? []).map(({ id }: Fields) => id))
  const links = (before.links ?? []).filter((link: Fields) => visible.has(link.person_id)) as Fields[]
  return [...Map.groupBy(links, ({ person_id }) => person_id)].flatMap(([person_id, all]) => {
    const order = [survivor, ...from]
    const merged = all
      .filter((link) => order.includes(link.company_id))
      .sort((a, b) => order.indexOf(a.company_id) - order.indexOf(b.company_id))
    if (merged.length === 0) return []
    const is_primary = merged.some((link) => link.is_primary)
    return [[person_id, merged[0].role, is_primary]]
  })
}

test(`${CASES} random merges move links, and undos bring all of them back (seed ${SEED})`, async () => {
  for (let n = 0; n < CASES; n++) {
    const companies = [await company(), await company(), ...(chance(0.4) ? [await company()] : [])]
    const other = chance(0.5) ? [await company()] : []
    const people = await createPeople([...companies, ...other])
    const [survivor, ...from] = companies as [string, ...string[]]
    const isNested = from.length === 2 && chance(0.5)
    const before = await readAll(people)
    const nested = isNested ? ok(await merge(from[0] as string, [from[1] as string])) : undefined
    const previous = await readAll(people)
    const merged = ok(await merge(survivor, isNested ? from.slice(0, 1) : from))
    const listed = ok(await api.call('GET', `/api/companies/${survivor}/people`))
    const actual = listed.map(({ id, link }: Fields) => [id, link.role, link.is_primary])
    assert.deepEqual(actual.sort(), expectedLinks(before, survivor, from).sort(), `case ${n}`)
    assert.ok(merged.moved.people <= actual.length)

    const toggled = people.filter(() => chance(0.3))
    for (const id of toggled) await toggle(id)
    const undone = await undo(merged.action_id)
    for (const id of toggled) await toggle(id)
    assert.deepEqual(undone.skipped, [])
    assert.deepEqual(await readAll(people), previous, `case ${n}`)
    if (chance(0.2)) {
      await undo(undone.action_id)
      const again = ok(await api.call('GET', `/api/companies/${survivor}/people`))
      assert.deepEqual(again.map(({ id, link }: Fields) => [id, link.role, link.is_primary]).sort(), actual)
      continue
    }
    if (nested) await undo(nested.action_id)
    assert.deepEqual(await readAll(people), before, `case ${n}`)
  }
})

test('a person linked to both companies keeps the link to the survivor, which stays primary', async () => {
  const [one, two] = [await company(), await company()]
  const id = await create([
    { company_id: one, role: 'Board' },
    { company_id: two, role: 'CEO', is_primary: true },
  ])
  const { action_id, moved } = ok(await merge(one, [two]))
  assert.deepEqual([moved.people, await companiesOf(id)], [1, [[one, 'Board', true]]])
  assert.equal(
    (await api.call('GET', `/api/companies/${two}/people`)).headers.location,
    `/api/companies/${one}/people`,
  )
  ok(await api.call('PUT', `/api/companies/${one}/people/${id}`, { role: 'Chair', is_primary: true }))
  const { skipped } = await undo(action_id)
  assert.deepEqual(
    skipped.map(({ field, reason }: Fields) => [field, reason]),
    [[`companies.${one}`, 'changed_since']],
  )
  assert.deepEqual(await companiesOf(id), [
    [one, 'Chair', true],
    [two, 'CEO', false],
  ])
})

test('merging again after an undo keeps the same link as the first time', async () => {
  const [one, two, three] = [await company(), await company(), await company()]
  const id = await create([
    { company_id: two, role: 'Board' },
    { company_id: three, role: 'CEO' },
  ])
  const { action_id } = ok(await merge(one, [three, two]))
  const undone = await undo(action_id)
  const redone = await undo(undone.action_id)
  assert.deepEqual([redone.skipped, await companiesOf(id)], [[], [[one, 'CEO', false]]])
})

test('a dry run counts the people and moves nobody', async () => {
  const [one, two] = [await company(), await company()]
  const id = await create([{ company_id: two }])
  const url = `/api/companies/${one}/merge`
  assert.equal(ok(await api.call('POST', url, { from: [two], dry_run: true })).moved.people, 1)
  assert.deepEqual(await companiesOf(id), [[two, null, false]])
})

test('a person who was in the trash during a merge comes back to the survivor', async () => {
  const [one, two] = [await company(), await company()]
  const id = await create([{ company_id: two, role: 'CEO', is_primary: true }])
  ok(await api.call('DELETE', `/api/people/${id}`))
  const { action_id } = ok(await merge(one, [two]))
  ok(await api.call('POST', `/api/trash/${id}/restore`))
  assert.deepEqual(await companiesOf(id), [[one, 'CEO', true]])
  assert.deepEqual((await undo(action_id)).skipped, [])
  assert.deepEqual(await companiesOf(id), [[two, 'CEO', true]])
})

test('the undo of a merge brings links back of people who were deleted, or merged, since', async () => {
  const [one, two] = [await company(), await company()]
  const link = { company_id: two, role: 'CEO', is_primary: true }
  const [deleted, merged, other] = [await create([link]), await create([link]), await create([])]
  const { action_id } = ok(await merge(one, [two]))
  ok(await api.call('DELETE', `/api/people/${deleted}`))
  const people = ok(await api.call('POST', `/api/people/${other}/merge`, { from: [merged] }))
  assert.deepEqual((await undo(action_id)).skipped, [])
  ok(await api.call('POST', `/api/trash/${deleted}/restore`))
  await undo(people.action_id)
  for (const id of [deleted, merged]) assert.deepEqual(await companiesOf(id), [[two, 'CEO', true]])
})

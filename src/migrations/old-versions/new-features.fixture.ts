import assert from 'node:assert/strict'
import type { Client } from '#src/client/client.ts'
import { eventually } from '#src/testing/eventually.ts'
import { DELETED_FIELD, type Filled } from './fill.fixture.ts'

/** Checks that records of an older version take part in what is new, and that its actions and trash still work. */
export async function checkNewFeatures(client: Client, filled: Filled): Promise<void> {
  await writeAbout(client, filled.company)
  await changeAndUndo(client, filled.company)
  if (filled.change) await undoOldChange(client, filled.change)
  if (filled.merge) await undoOldMerge(client, filled.merge)
  if (filled.trashed) await restoreOldTrash(client, filled.trashed)
}

/** A note, a task, and a person about a company of the older version. */
async function writeAbout(client: Client, id: string): Promise<void> {
  const about = [{ type: 'company' as const, id }]
  const { data: note } = await client.createNote({ body: { body: 'Besuch im Herbstlaub', about } })
  const { data: task } = await client.createTask({
    body: { title: 'Call back', due_on: '2026-12-01', about },
  })
  await client.createPerson({ body: { name: 'Zoë Ångström', companies: [{ company_id: id }] } })
  const { data: entries } = await client.getCompanyTimeline({ params: { id } })
  const ids = entries.map((entry) => entry.id)
  assert.ok(ids.includes(note.id) && ids.includes(task.id), JSON.stringify(ids))
  await eventually(async () => {
    const { data } = await client.listNotes({ querystring: { search: 'herbstlaub' } })
    assert.deepEqual(
      data.map((found) => found.id),
      [note.id],
    )
  })
}

async function changeAndUndo(client: Client, id: string): Promise<void> {
  const { company } = (await client.getCompany({ params: { id } })).data
  await client.updateCompany({ params: { id }, body: { hq_city: 'Reykjavík' } })
  const { data: actions } = await client.listActions({ querystring: { limit: 1 } })
  const { data } = await client.undoAction({ params: { id: actions[0]?.id ?? '' }, body: {} })
  assert.deepEqual([data.reverted, data.skipped], [1, []])
  assert.equal((await client.getCompany({ params: { id } })).data.company.hq_city, company.hq_city)
}

async function undoOldChange(
  client: Client,
  { action, company, city }: NonNullable<Filled['change']>,
): Promise<void> {
  const { data } = await client.undoAction({ params: { id: action }, body: {} })
  assert.deepEqual([data.reverted, data.skipped], [1, []])
  assert.equal((await client.getCompany({ params: { id: company } })).data.company.hq_city, city)
}

async function undoOldMerge(client: Client, { action, from }: NonNullable<Filled['merge']>): Promise<void> {
  const ids = from.join(',')
  const count = async () => (await client.listCompanies({ querystring: { ids } })).data.length
  assert.equal(await count(), 0)
  const { data } = await client.undoAction({ params: { id: action }, body: {} })
  // The older version may still have been removing the values of a deleted field when it merged.
  const skipped = data.skipped.filter(({ field }) => field !== `custom.${DELETED_FIELD}`)
  assert.deepEqual(skipped, [])
  assert.equal(await count(), from.length)
}

/** The company comes back with its deal. */
async function restoreOldTrash(
  client: Client,
  { company, deal }: NonNullable<Filled['trashed']>,
): Promise<void> {
  await client.restoreRecord({ params: { id: company.id } })
  const { data } = await client.getCompany({ params: { id: company.id } })
  assert.partialDeepStrictEqual(data.company, company)
  assert.equal(data.dealflow?.id, deal)
}

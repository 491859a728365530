import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { newAction } from '#src/features/activity/action.ts'
import type { AtomicChangeDb } from '#src/features/activity/change-atomically.ts'
import { bulkActionPlaces } from '#src/features/bulk-actions/trashed-companies.ts'
import type { CompanyAttachment } from '#src/features/companies/attachment.ts'
import { changeCompanies } from '#src/features/companies/bulk-change/bulk-change.ts'
import { newCompany } from '#src/features/companies/company-row.ts'
import { deleteCompanies } from '#src/features/companies/remove.ts'
import { insertCompanies } from '#src/features/companies/store.ts'
import { RECORD_KINDS } from '#src/kinds.ts'
import { newId } from '#src/platform/ids.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { testServer } from '#src/testing/database.ts'
import type { UndoParts } from './undo.ts'

import { revertStalled, revertUnfinished } from './unfinished.ts'

/** More than a first batch. */
const COMPANIES = 120

let api: TestApp
let parts: AtomicChangeDb & UndoParts & { attachment: CompanyAttachment }
before(async () => {
  api = await testApp({ EMBEDDINGS: 'off' })
  // So that there are batches on PostgreSQL too.
  const undoing = { db: api.context.db, maxBatchMs: 1000, kinds: RECORD_KINDS }
  parts = {
    ...undoing,
    longDb: api.context.longDb,
    revert: (id) => revertUnfinished(undoing, id),
    attachment: bulkActionPlaces,
  }
})
after(() => api.close())

async function create(name: string): Promise<string[]> {
  const companies = Array.from({ length: COMPANIES }, () => newCompany(newId('cmp'), { name }))
  await insertCompanies(companies).execute(api.context.db)
  return companies.map(({ id }) => id)
}

async function statuses(name: string): Promise<Record<string, number>> {
  const { rows } = await sql<{ status: string; n: number }>`
    select status, count(*)::int as n from companies where name = ${name} group by status`.execute(
    api.context.db,
  )
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]))
}

const readAction = async (id: string) => (await api.call('GET', `/api/actions/${id}`)).body.data
const unfinished = async () => (await sql`select from unfinished_actions`.execute(api.context.db)).rows.length

const caller = () => api.context.filterCaller(null)

/** Makes companies inactive. */
function deactivate(ids: string[]) {
  const action = newAction('bulk_update', { email: 'ada@example.com' })
  const { customFields } = api.context
  const request = { ids, changes: { status: 'inactive' as const } }
  return {
    action,
    changed: changeCompanies({ ...parts, customFields, caller: caller() }, action, request, () => {}),
  }
}

/** Runs statements in the database whenever this company, or any, has been updated, until the work has ended. */
async function whenUpdated<T>(
  id: string | undefined,
  statements: string,
  work: () => Promise<T>,
): Promise<T> {
  const { db } = api.context
  await sql`
    create function meanwhile() returns trigger language plpgsql as ${sql.lit(`begin ${statements} return null; end`)}`.execute(
    db,
  )
  await sql`
    create trigger meanwhile after update on companies for each row when (${id === undefined ? sql`true` : sql`new.id = ${sql.lit(id)}`})
    execute function meanwhile()`.execute(db)
  try {
    return await work()
  } finally {
    await sql`drop function meanwhile cascade`.execute(db)
  }
}

test('companies are changed and deleted in batches of one action', async () => {
  const ids = await create('Batches')
  const { action, changed } = deactivate(ids)
  assert.deepEqual(await changed, { updated: COMPANIES, unchanged: 0, action_id: action.id })
  assert.deepEqual(await statuses('Batches'), { inactive: COMPANIES })
  assert.equal((await readAction(action.id)).records, COMPANIES)
  const deletion = newAction('delete', null)
  await deleteCompanies(parts, deletion, caller(), { ids })
  assert.deepEqual(await statuses('Batches'), {})
  assert.equal((await readAction(deletion.id)).records, COMPANIES)
  assert.equal(await unfinished(), 0)
})

test('with an Idempotency-Key, batches are one action too, and a repeated request gets the same answer', {
  skip: testServer && 'PostgreSQL changes them in one transaction',
}, async () => {
  const { db } = api.context
  const ids = await create('Keyed')
  await sql`create table transactions (id xid8)`.execute(db)
  const statements = 'insert into transactions values (pg_current_xact_id());'
  const request = () =>
    api.call(
      'PATCH',
      '/api/companies',
      { ids, changes: { status: 'inactive' } },
      { headers: { 'idempotency-key': 'keyed' } },
    )
  await whenUpdated(undefined, statements, async () => {
    assert.equal((await request()).body.data.updated, COMPANIES)
    const repeated = await request()
    assert.equal(repeated.headers['idempotency-replayed'], 'true')
  })
  const { rows } = await sql`select distinct id from transactions`.execute(db)
  assert.ok(rows.length > 1, 'in one transaction')
  await sql`drop table transactions`.execute(db)
})

test('nothing is deleted when one of many ids does not exist', async () => {
  const ids = await create('Missing')
  const missing = newId('cmp')
  await assert.rejects(
    deleteCompanies(parts, newAction('delete', null), caller(), { ids: [...ids, missing] }),
    new RegExp(`ids must be ids of companies.*${missing}`),
  )
  assert.deepEqual(await statuses('Missing'), { active: COMPANIES })
  assert.equal(await unfinished(), 0)
})

test('a change that fails after some companies is undone', async () => {
  const ids = await create('Failing')
  const action = await whenUpdated(ids.at(-1), "raise exception 'No more.';", async () => {
    const { action, changed } = deactivate(ids)
    await assert.rejects(changed, /No more/)
    return action
  })
  assert.deepEqual(await statuses('Failing'), { active: COMPANIES })
  assert.equal((await readAction(action.id)).undoable, false)
  assert.equal(await unfinished(), 0)
})

test('a change whose process has ended after some companies is undone', async () => {
  const ids = await create('Stalled')
  // As if the process had ended: nothing is undone at once.
  const interrupted = { ...parts, revert: async () => {} }
  const action = newAction('bulk_update', { email: 'ada@example.com' })
  const { customFields } = api.context
  const request = { ids, changes: { status: 'inactive' as const } }
  await whenUpdated(ids.at(-1), "raise exception 'No more.';", () =>
    assert.rejects(
      changeCompanies({ ...interrupted, customFields, caller: caller() }, action, request, () => {}),
    ),
  )
  assert.ok(((await statuses('Stalled')).inactive ?? 0) > 0)
  await revertStalled(parts, new AbortController().signal)
  assert.equal(await unfinished(), 1, 'another process may be at work')
  await sql`update unfinished_actions set advanced_at = now() - interval '11 seconds'`.execute(api.context.db)
  await revertStalled(parts, new AbortController().signal)
  assert.deepEqual(await statuses('Stalled'), { active: COMPANIES })
  assert.equal(await unfinished(), 0)
  const { undone_by } = await readAction(action.id)
  assert.equal((await readAction(undone_by)).user_email, 'ada@example.com')
})

test('a change that is undone while it runs ends, and changes nothing more', async () => {
  const ids = await create('Undone')
  const undoing = "update actions set undone_by = 'ax_0' where undone_by is null;"
  await whenUpdated(ids.at(-1), undoing, () =>
    assert.rejects(deactivate(ids).changed, /The change was undone by ax_0 while it was running\./),
  )
  assert.ok(((await statuses('Undone')).inactive ?? 0) < COMPANIES)
})

test('a company that is deleted between two batches is left out', async () => {
  const ids = await create('Leaving')
  const deletion = `delete from companies where id = '${ids.at(-1)}';`
  const { updated } = await whenUpdated(ids[0], deletion, () => deactivate(ids).changed)
  assert.equal(updated, COMPANIES - 1)
  assert.deepEqual(await statuses('Leaving'), { inactive: COMPANIES - 1 })
})

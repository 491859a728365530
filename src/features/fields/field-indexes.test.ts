import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type RawBuilder, sql } from 'kysely'
import { readCompanyFields } from '#src/features/companies/fields.ts'
import { orderBySort, parseSort } from '#src/platform/filter/sort.ts'
import { toSql } from '#src/platform/filter/to-sql.ts'
import { parseFilter } from '#src/platform/filter/tree.ts'
import { firstIdAt } from '#src/platform/ids.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { testServer } from '#src/testing/database.ts'
import { whenBlocked } from '#src/testing/locks.ts'
import { maintainFieldIndexes } from './indexes.ts'
import type { CustomField } from './schema.ts'

let service: TestApp

before(async () => {
  service = await testApp()
})
after(() => service.close())

const running = new AbortController().signal
const noImport = async () => false
let fields = 0

async function newField(input: object = {}): Promise<CustomField> {
  const field = { entity: 'company', label: `Field ${++fields}`, type: 'text', ...input }
  const { status, body } = await service.call('POST', '/api/fields', field)
  assert.equal(status, 201, body.details)
  return body.data
}

test('fields are indexed, interrupted indexes are built again, and those of deleted fields are dropped', async () => {
  const { backgroundDb: db } = service.context
  const field = await newField({ label: 'Indexed' })
  const list = await newField({ type: 'multi_select', options: [{ label: 'x' }] })
  const names = [`custom_${field.id}`, `custom_${field.id}_folded`, `custom_${list.id}`]
  const validity = async () => {
    const { rows } = await sql<{ name: string; valid: boolean }>`
      select relname as name, indisvalid as valid from pg_index join pg_class on pg_class.oid = indexrelid
      where relname = any(${names}) order by relname collate "C"`.execute(db)
    return rows.map(({ name, valid }) => (valid ? name : `${name} invalid`))
  }
  await maintainFieldIndexes(db, running, noImport)
  assert.deepEqual(await validity(), [...names].sort())
  await sql`update pg_index set indisvalid = false where indexrelid = ${names[0]}::regclass`.execute(db)
  await maintainFieldIndexes(db, running, noImport)
  assert.deepEqual(await validity(), [...names].sort())
  await service.call('PATCH', `/api/fields/${field.id}`, { archived: true })
  assert.deepEqual((await validity()).length, 3, 'an archived field keeps its indexes')
  await service.call('DELETE', `/api/fields/${field.id}`)
  await maintainFieldIndexes(db, running, noImport)
  assert.deepEqual(await validity(), [names[2]])
})

test('stopping cancels the build of an index', { skip: !testServer && 'PostgreSQL only' }, async () => {
  const { backgroundDb, db } = service.context
  const { id } = await newField({ type: 'number' })
  const stopping = new AbortController()
  await db.transaction().execute(async (transaction) => {
    // The build waits for transactions that write.
    await sql`lock table companies in row exclusive mode`.execute(transaction)
    const building = assert.rejects(maintainFieldIndexes(backgroundDb, stopping.signal, noImport), /abort/i)
    await whenBlocked(transaction, /^create index concurrently/)
    stopping.abort()
    await building
  })
  await maintainFieldIndexes(backgroundDb, running, noImport)
  const { rows } =
    await sql`select from pg_index where indexrelid = ${`custom_${id}`}::regclass and indisvalid`.execute(db)
  assert.equal(rows.length, 1)
})

test('the indexes of new fields wait for imports, for an hour at most', async () => {
  const { backgroundDb: db } = service.context
  const { id } = await newField({ type: 'number' })
  const old = firstIdAt('fld', new Date(Date.now() - 3_601_000)).padEnd(30, '0')
  await sql`update fields set id = ${old} where id = ${(await newField({ type: 'number' })).id}`.execute(db)
  const indexed = async () => {
    const names = [`custom_${id}`, `custom_${old}`]
    const { rows } = await sql<{ name: string }>`
      select relname as name from pg_class where relname = any(${names}) order by relname`.execute(db)
    return rows.map(({ name }) => name)
  }
  await maintainFieldIndexes(db, running, async () => true)
  assert.deepEqual(await indexed(), [`custom_${old}`])
  await maintainFieldIndexes(db, running, noImport)
  assert.deepEqual(await indexed(), [`custom_${old}`, `custom_${id}`])
})

test('filters and sorts by a custom field use its index', async () => {
  const { backgroundDb: db } = service.context
  const made = [
    await newField({ type: 'number' }),
    await newField(),
    await newField({ type: 'date' }),
    await newField({ type: 'multi_select', options: [{ label: 'x' }] }),
  ]
  await maintainFieldIndexes(db, running, noImport)
  const fields = await readCompanyFields(db)
  const plan = (query: RawBuilder<unknown>) =>
    db.transaction().execute(async (transaction) => {
      await sql`set local enable_seqscan = off`.execute(transaction)
      await sql`set local enable_sort = off`.execute(transaction)
      const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${query}`.execute(transaction)
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    })
  const indexOf = ({ id }: CustomField, suffix = '') => new RegExp(`custom_${id}${suffix}\\b`)
  const [number, text, date, list] = made as [CustomField, CustomField, CustomField, CustomField]
  for (const [field, direction, suffix] of [
    [number, 'desc', ''],
    [date, 'asc', ''],
    [text, 'desc', '_folded'],
  ] as const) {
    const order = orderBySort(
      parseSort([{ field: `custom.${field.key}`, direction }], fields),
      sql`companies.id`,
    )
    assert.match(await plan(sql`select id from companies ${order} limit 50`), indexOf(field, suffix))
  }
  for (const [field, value] of [
    [number, 5],
    [text, 'x'],
    [date, '2026-01-01'],
    [list, 'X'],
  ] as const) {
    const { condition } = parseFilter({ field: `custom.${field.key}`, op: 'eq', value }, fields, {
      now: new Date(),
      email: null,
      timeZone: 'UTC',
    })
    assert.match(await plan(sql`select count(*) from companies where ${toSql(condition)}`), indexOf(field))
  }
})

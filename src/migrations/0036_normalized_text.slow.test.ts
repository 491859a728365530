import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { Db } from '#src/platform/database/database.ts'
import { migrate } from '#src/platform/database/migrate.ts'
import { openDatabase } from '#src/platform/database/open.ts'
import { normalizeName } from '#src/platform/schema/normalize-text.ts'
import { createPostgres, testServer } from '#src/testing/database.ts'
import { migrations } from './migrations.ts'

const former = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0036'))
const upToThis = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0037'))

const TIME = '2026-03-02T09:30:00.000Z'
const DIRTY = 'Mu\u0308ller\u200b\u00a0AG'
const CLEAN = 'Müller AG'

/** A database with the schema before this migration. */
async function withFormerSchema(run: (db: Db) => Promise<void>): Promise<void> {
  const dataFolder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-test-'))
  const server = testServer ? await createPostgres(testServer) : undefined
  const database = await openDatabase({ databaseUrl: server?.url, dataFolder })
  try {
    await migrate(database.db, former)
    await run(database.db)
  } finally {
    await database.close()
    await server?.drop()
    await rm(dataFolder, { recursive: true })
  }
}

async function insert(db: Db, table: string, row: Record<string, unknown>): Promise<void> {
  const columns = Object.keys(row)
  await sql`
    insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.id(column)))})
    select ${sql.join(columns.map((column) => sql.id(column)))}
    from json_populate_record(null::${sql.table(table)}, ${JSON.stringify(row)}::json)`.execute(db)
}

async function readAll(db: Db, table: string): Promise<Record<string, unknown>[]> {
  const { rows } = await sql<{ row: Record<string, unknown> }>`
    select row_to_json(stored) as row from ${sql.table(table)} stored order by 1::text, row_to_json(stored)::text`.execute(
    db,
  )
  return rows.map(({ row }) => row)
}

const times = { created_at: TIME, updated_at: TIME }
const company = (id: string, fields: object) => ({
  id: `cmp_${id}`,
  name: 'Plain',
  status: 'active',
  match_key: id,
  tags: [],
  custom: {},
  ...times,
  ...fields,
})
const thesis = (id: string, fields: object) => ({
  id: `th_${id}`,
  code: id,
  title: 'Plain',
  status: 'active',
  ...times,
  ...fields,
})
const field = (key: string, fields: object) => ({
  id: `fld_${key}`,
  entity: 'company',
  key,
  type: 'select',
  options: [],
  required: false,
  removed_options: [],
  ...times,
  ...fields,
})

/** What the counters say about the tags, and what is true. */
async function tagCounts(db: Db): Promise<[unknown, unknown]> {
  const { rows: counted } = await sql`
    select tag, sum(n)::int as n from (
      select tag, n from company_tag_counts union all select tag, n from company_tag_count_deltas) counts
    group by tag having sum(n) <> 0 order by tag`.execute(db)
  const { rows: actual } = await sql`
    select tag, count(*)::int as n from companies left join lateral unnest(tags) tag on true group by tag order by tag`.execute(
    db,
  )
  return [counted, actual]
}

async function industryCounts(db: Db): Promise<[unknown, unknown]> {
  const { rows: counted } = await sql`
    select industry_category as industry, sum(n)::int as n from (
      select industry_category, n from company_counts union all
      select industry_category, n from company_count_deltas) counts
    group by 1 having sum(n) <> 0 order by 1`.execute(db)
  const { rows: actual } = await sql`
    select industry_category as industry, count(*)::int as n from companies group by 1 order by 1`.execute(db)
  return [counted, actual]
}

test('stored texts are normalized, counters stay exact, and nothing else changes', () =>
  withFormerSchema(async (db) => {
    await insert(
      db,
      'companies',
      company('dirty', {
        name: `Ｒｏｅ ${DIRTY}`,
        country: 'Schweiz\u00a0',
        hq_city: '\u200b',
        industry_category: 'O\u0308ko',
        activity_description: 'One\u00a0two\nthree\t\u200bfour',
        website: 'https://roe.example/mu\u0308',
        tags: ['A\u00a0B', 'O\u0308ko', 'a b', 'Öko'].sort(),
        custom: { note: `${DIRTY}\u200b`, blank: '\ufeff', amount: 12.5, chosen: ['opt_1'] },
        financials: { '2025': { note: DIRTY } },
        executives: [{ name: DIRTY }],
        llm_score_details: { summary: DIRTY },
      }),
    )
    await insert(db, 'companies', company('plain', { industry_category: 'Öko', tags: ['Öko'] }))
    await insert(
      db,
      'companies',
      company('persian', { name: 'می\u200cخواهم', industry_category: '👩\u200d🚀' }),
    )
    await sql`
      update companies set financials = ${`{"digits": 12345678901234567890, "note": "${DIRTY}"}`}::json
      where id = 'cmp_persian'`.execute(db)
    await insert(db, 'companies', company('unnamed', { name: '\u200b' }))
    await insert(db, 'dealflow', {
      ...{ id: 'df_1', company_id: 'cmp_dirty', stage: 'initial', status: 'active', custom: {}, ...times },
      ...{ notes: `  ${DIRTY}\n`, round: `${DIRTY} `, source: '\u2060', stage_entered_at: TIME },
    })
    const before = await readAll(db, 'companies')

    await migrate(db, upToThis)

    const [dirty, persian, plain, unnamed] = await readAll(db, 'companies')
    assert.match(String(dirty?.search_text), /^roe muller ag/)
    assert.deepEqual(dirty, {
      ...(before[0] as object),
      ...{ search_text: dirty?.search_text, name_sort: dirty?.name_sort },
      ...{ name: `Roe ${CLEAN}`, country: 'Schweiz', hq_city: null, industry_category: 'Öko' },
      activity_description: 'One two\nthree\tfour',
      website: 'https://roe.example/mü',
      tags: ['A B', 'Öko'],
      custom: { note: CLEAN, amount: 12.5, chosen: ['opt_1'] },
      financials: { '2025': { note: CLEAN } },
      executives: [{ name: CLEAN }],
      llm_score_details: { summary: CLEAN },
    })
    assert.deepEqual(plain, before[2])
    assert.deepEqual(unnamed, before[3])
    assert.equal(persian?.name, 'می\u200cخواهم')
    assert.equal(persian?.industry_category, '👩\u200d🚀')
    const { rows } = await sql<{ text: string }>`
      select financials::text as text from companies where id = 'cmp_persian'`.execute(db)
    assert.match(rows[0]?.text ?? '', /12345678901234567890.*Müller AG/)
    const [deal] = await readAll(db, 'dealflow')
    assert.deepEqual([deal?.notes, deal?.round, deal?.source], [`  ${CLEAN}\n`, CLEAN, null])
    assert.deepEqual(new Date(String(deal?.updated_at)), new Date(TIME))
    for (const [counted, actual] of [await tagCounts(db), await industryCounts(db)])
      assert.deepEqual(counted, actual)
    assert.deepEqual(await readAll(db, 'activity'), [])
    assert.deepEqual(await readAll(db, 'actions'), [])
  }))

test('codes and labels that would be equal to others stay as they are', () =>
  withFormerSchema(async (db) => {
    await insert(db, 'theses', thesis('1', { code: 'AI' }))
    await insert(db, 'theses', thesis('2', { code: 'A\u200bI' }))
    await insert(db, 'theses', thesis('3', { code: 'Ｂ', summary: DIRTY, criteria: [{ text: DIRTY }] }))
    await insert(db, 'theses', thesis('4', { code: 'B\u200b' }))
    await insert(db, 'fields', field('one', { label: 'Stage' }))
    await insert(db, 'fields', field('two', { label: 'stage\u200b' }))
    const options = [
      { id: 'opt_1', label: 'Hot\u200b' },
      { id: 'opt_2', label: 'Hot' },
    ]
    await insert(db, 'fields', field('three', { label: 'Heat\u00a0now', options }))
    const readVersion = () => readAll(db, 'field_version')
    const version = await readVersion()

    await migrate(db, upToThis)

    const theses = await readAll(db, 'theses')
    assert.deepEqual(theses.map(({ code }) => code).sort(), ['A\u200bI', 'AI', 'B', 'B\u200b'].sort())
    const [, , third] = theses.sort((a, b) => String(a.id).localeCompare(String(b.id)))
    assert.deepEqual([third?.summary, third?.criteria], [CLEAN, [{ text: CLEAN }]])
    const fields = await readAll(db, 'fields')
    assert.deepEqual(
      fields.map(({ label, options }) => [label, options]).sort(),
      [
        ['Heat now', options],
        ['Stage', []],
        ['stage\u200b', []],
      ].sort(),
    )
    assert.notDeepEqual(await readVersion(), version)
  }))

test('views, stages, users, keys, and the trash are normalized too', () =>
  withFormerSchema(async (db) => {
    await insert(db, 'users', {
      ...{ email: 'ada@example.com', role: 'member', preferences: {}, ...times },
      name: DIRTY,
    })
    await insert(db, 'views', {
      ...{ id: 'view_1', entity: 'company', owner_email: 'ada@example.com', visibility: 'private', ...times },
      name: DIRTY,
      content: { search: DIRTY, columns: [{ field: 'name' }] },
    })
    await insert(db, 'api_keys', {
      ...{
        id: 'key_1',
        user_email: 'ada@example.com',
        prefix: 'x',
        hash: 'x',
        scopes: [],
        role: 'member',
        created_at: TIME,
      },
      name: DIRTY,
    })
    await sql`
      update deal_stage_config set stages = ${JSON.stringify([{ key: 'initial', label: DIRTY }])}::json`.execute(
      db,
    )
    const trashed = { action_id: 'ax_1', deleted_at: TIME, purging: false, name: DIRTY }
    await insert(db, 'trash', {
      ...{ ...trashed, id: 'cmp_9', entity_type: 'company' },
      content: { record: company('9', { name: DIRTY, tags: [DIRTY, CLEAN] }), companies: ['cmp_1'] },
    })
    await insert(db, 'trash', {
      ...{ ...trashed, id: 'df_9', entity_type: 'dealflow', company_id: 'cmp_9' },
      content: { record: { id: 'df_9', stage: 'initial', notes: DIRTY, custom: null } },
    })

    await migrate(db, upToThis)

    for (const table of ['users', 'views', 'api_keys'])
      assert.equal((await readAll(db, table))[0]?.name, CLEAN, table)
    const [view] = await readAll(db, 'views')
    assert.deepEqual(view?.content, { search: CLEAN, columns: [{ field: 'name' }] })
    const [config] = await readAll(db, 'deal_stage_config')
    assert.deepEqual(config?.stages, [{ key: 'initial', label: CLEAN }])
    const { rows } = await sql<{ name: string; content: unknown }>`
      select name, content from trash order by id`.execute(db)
    assert.deepEqual(rows, [
      {
        name: CLEAN,
        content: { record: company('9', { name: CLEAN, tags: [CLEAN] }), companies: ['cmp_1'] },
      },
      { name: CLEAN, content: { record: { id: 'df_9', stage: 'initial', notes: CLEAN, custom: null } } },
    ])
  }))

/** Names with each character that is normalized on write. */
const dirtyNames = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => `a${String.fromCodePoint(code)}b`)
  .filter((name) => normalizeName(name) !== name)

test('every character that is normalized on write is found, in tables of any length', () =>
  withFormerSchema(async (db) => {
    const names = dirtyNames.flatMap((name) => [name, 'Plain'])
    await sql`
      insert into companies (id, name, status, match_key, created_at, updated_at)
      select 'cmp_' || lpad(n::text, 6, '0'), name, 'active', n::text, ${TIME}, ${TIME}
      from json_array_elements_text(${JSON.stringify(names)}::json) with ordinality as given(name, n)`.execute(
      db,
    )
    assert.ok(names.length > 10_000)
    await migrate(db, upToThis)
    const { rows } = await sql<{ name: string }>`select name from companies order by id`.execute(db)
    assert.deepEqual(
      rows.map(({ name }) => name),
      names.map((name) => normalizeName(name).trim()),
    )
  }))

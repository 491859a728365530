import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import pg from 'pg'
import { migrations } from '#src/migrations/migrations.ts'
import { migrate } from '#src/platform/database/migrate.ts'
import { openPostgres } from '#src/platform/database/pools.ts'
import { testApp } from '#src/testing/app.ts'
import { runCommandLine } from '#src/testing/command-line.ts'
import { createPostgres, testServer } from '#src/testing/database.ts'
import { verifyAuditLog } from './verify.ts'

/** The SQL blocks of docs/audit.md, in order. */
const blocks = [
  ...readFileSync(new URL('../../../docs/audit.md', import.meta.url), 'utf8').matchAll(/```sql\n([^`]*)```/g),
].map(([, text = '']) => text)

test('the service works with a role that cannot change the audit log', {
  skip: testServer ? false : 'PostgreSQL only',
}, async () => {
  const { url, drop } = await createPostgres(testServer as string)
  const suffix = new URL(url).pathname.slice(-12)
  const ofTest = (text: string) =>
    text
      .replaceAll('deal_pipeline', `deal_pipeline_${suffix}`)
      .replaceAll('database deals', `database "${new URL(url).pathname.slice(1)}"`)
  const administrator = new pg.Client({ connectionString: url })
  await administrator.connect()
  const restricted = new URL(url)
  restricted.username = `deal_pipeline_${suffix}`
  restricted.password = 'a long password'
  try {
    assert.equal(blocks.length, 2)
    await administrator.query(ofTest(blocks[0] as string))
    const first = openPostgres(restricted.href)
    await migrate(first.background, migrations).finally(first.close)
    await administrator.query(ofTest(blocks[1] as string))

    const database = openPostgres(restricted.href)
    await migrate(database.background, migrations)
    const api = await testApp({}, { database })
    try {
      const { data } = (await api.call('POST', '/api/companies', { name: 'Acme' })).body
      const action = { action_type: 'llm_score', company_ids: [data.id] }
      assert.equal((await api.call('POST', '/api/bulk-actions', action)).status, 201)
      assert.equal((await api.call('GET', '/api/audit?event=bulk_action_started')).body.data.length, 1)
      const client = new pg.Client({ connectionString: restricted.href })
      await client.connect()
      for (const statement of [
        "update audit_entries set user_email = 'eve@example.com'",
        'delete from audit_entries',
        'truncate audit_entries',
        'drop table audit_entries',
        'alter table audit_entries disable trigger all',
        'alter table audit_entries rename to others',
        'drop function chain_audit_entry() cascade',
        `create or replace function chain_audit_entry() returns trigger language plpgsql as 'begin return new; end'`,
      ])
        await assert.rejects(client.query(statement), { code: '42501' }, statement)
      await client.end()
      const result = await verifyAuditLog(api.context.db)
      assert.ok(result.intact && result.entries === 1, JSON.stringify(result))
    } finally {
      await api.close()
    }
    const erase = (DATABASE_URL: string) =>
      runCommandLine(['user', 'erase', 'ada@example.com'], { env: { DATABASE_URL } })
    assert.match((await erase(restricted.href)).errors, /This database role may not change the audit log/)
    assert.equal((await erase(url)).status, 0)
  } finally {
    await administrator.query(ofTest('drop owned by deal_pipeline, deal_pipeline_audit cascade'))
    await administrator.end()
    await drop()
    const server = new pg.Client({ connectionString: testServer as string })
    await server.connect()
    await server.query(ofTest('drop role deal_pipeline, deal_pipeline_audit'))
    await server.end()
  }
})

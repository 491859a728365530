import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { testServer } from '#src/testing/database.ts'
import { eventually } from '#src/testing/eventually.ts'
import { killableService, killService, removeServices } from '#src/testing/killable-service.fixture.ts'
import { ada } from '#src/testing/settings.ts'

after(removeServices)

test('a request whose process is killed between its effect and its stored response takes effect once when repeated', {
  skip: !testServer && 'PostgreSQL only: another connection makes the process wait at that point',
}, async () => {
  const { client, port, start, openData } = await killableService({ EMBEDDINGS: 'off' })
  const create = () =>
    fetch(`http://localhost:${port}/api/companies`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-user-email': ada, 'idempotency-key': 'killed' },
      body: JSON.stringify({ name: 'Killed' }),
    })
  const count = async () =>
    (await client.listCompanies({ querystring: { search: 'Killed', limit: 0 } })).pagination.total
  const database = await openData()
  try {
    const service = await start()
    await database.db.transaction().execute(async (transaction) => {
      // Reading the key is still possible, but not storing the response.
      await sql`lock table idempotency_keys in share mode`.execute(transaction)
      const interrupted = assert.rejects(create())
      await eventually(async () => {
        const { rows } = await sql`
          select from pg_locks where relation = 'idempotency_keys'::regclass and not granted`.execute(
          database.probe,
        )
        assert.equal(rows.length, 1)
      })
      await killService(service)
      await interrupted
      // As if the process had never sent the statement: PostgreSQL would still run it.
      await sql`select pg_terminate_backend(pid) from pg_locks
        where relation = 'idempotency_keys'::regclass and not granted`.execute(database.probe)
    })

    await start()
    // Until PostgreSQL notices that the connection is gone, its transaction holds the key.
    const repeated = await eventually(async () => {
      const answer = await create()
      assert.equal(answer.status, 201)
      return answer
    })
    assert.equal(repeated.headers.get('idempotency-replayed'), null)
    assert.equal(await count(), 1)
    const again = await create()
    assert.equal(again.headers.get('idempotency-replayed'), 'true')
    assert.deepEqual(await again.json(), await repeated.json())
    assert.equal(await count(), 1)
  } finally {
    await database.close()
  }
})

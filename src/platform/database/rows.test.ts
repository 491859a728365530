import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { freshDatabase } from '#src/testing/database.ts'
import { rowsFrom } from './rows.ts'

test('records become rows, in order, with null and with text of any kind', async () => {
  const { db, close } = await freshDatabase()
  const columns = { id: 'text', place: 'int', change: 'bigint', score: 'float8' } as const
  try {
    const records = [
      { id: "'); drop table x; --", place: 1, change: '9007199254740993', score: 0.5, ignored: true },
      { id: '{"a", \\ NULL}', place: 2, change: '2', score: -1e300 },
      { id: null, place: 3, change: '3', score: 0 },
    ]
    const { rows } = await sql`
      select id, place, change::text, score from ${rowsFrom('given', columns, records)}`.execute(db)
    assert.deepEqual(
      rows,
      records.map(({ id, place: position, change, score }) => ({ id, place: position, change, score })),
    )
    assert.deepEqual((await sql`select * from ${rowsFrom('given', columns, [])}`.execute(db)).rows, [])
  } finally {
    await close()
  }
})

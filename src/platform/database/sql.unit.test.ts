import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type CompiledQuery,
  createQueryId,
  PostgresQueryCompiler,
  type RawBuilder,
  type RootOperationNode,
  sql,
} from 'kysely'
import type { Db } from './database.ts'
import { precompile, preparedQuery } from './sql.ts'

const compile = (fragment: RawBuilder<unknown>) =>
  new PostgresQueryCompiler().compileQuery(fragment.toOperationNode() as RootOperationNode, createQueryId())

test('a constant fragment has the same text, next to parameters too', () => {
  const fragment = sql`${sql.ref('companies.id')} > ${sql.lit("it's")}`
  assert.equal(compile(precompile(fragment)).sql, compile(fragment).sql)
  const statement = compile(sql`select ${1} where ${precompile(fragment)} and ${2}`)
  assert.equal(statement.sql, `select $1 where "companies"."id" > 'it''s' and $2`)
  assert.deepEqual(statement.parameters, [1, 2])
})

test('a fragment with a parameter is no constant', () => {
  assert.throws(() => precompile(sql`id = ${'x'}`), /no parameters: id = \$1/)
})

test('a frequent statement is built once and run with the values of each run', async () => {
  const sent: CompiledQuery[] = []
  const db = { executeQuery: async (query: CompiledQuery) => ({ rows: [{ n: sent.push(query) }] }) }
  let built = 0
  const read = preparedQuery<{ id: string; name: string }, { n: number }>(({ id, name }) => {
    built += 1
    return sql`select ${id}, ${2}, ${id}, ${name}`
  })
  assert.deepEqual(await read(db as unknown as Db, { id: 'a', name: 'A' }), [{ n: 1 }])
  assert.deepEqual(await read(db as unknown as Db, { id: 'b', name: 'B' }), [{ n: 2 }])
  assert.equal(built, 1)
  assert.deepEqual(
    sent.map((query) => [query.sql, query.parameters]),
    ['a', 'b'].map((id) => ['select $1, $2, $3, $4', [id, 2, id, id.toUpperCase()]]),
  )
  assert.notEqual(sent[0]?.queryId, sent[1]?.queryId)
})

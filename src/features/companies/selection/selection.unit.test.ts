import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Db } from '#src/platform/database/database.ts'
import { DEFAULT_SORT } from '../filters-schema.ts'
import { parseListQuery, parseSelection } from './selection.ts'

/** Any statement fails. */
const unreachable = undefined as unknown as Db
const caller = { email: null, readTimeZone: async () => 'UTC' }

test('a list in the default order without a filter tree reads no custom fields', async () => {
  const query = { status: ['active'], country_code: ['DE'], limit: 50, offset: 0 }
  assert.deepEqual(await parseListQuery(unreachable, caller, { ...query, sort: DEFAULT_SORT }), query)
  assert.deepEqual(await parseListQuery(unreachable, caller, query), query)
  assert.deepEqual(await parseSelection(unreachable, caller, query), query)
  await assert.rejects(parseListQuery(unreachable, caller, { ...query, sort: 'name' }))
})

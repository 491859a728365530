import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { fieldsByName } from '#src/platform/filter/fields.ts'
import type { Filter } from '#src/platform/filter/schema.ts'
import { describeMissing, namedIn } from './missing.ts'

const fields = fieldsByName('company', [
  { name: 'status', label: 'Status', type: 'select', sql: sql`status` },
  { name: 'thesis_id', label: 'Thesis', type: 'reference', sql: sql`thesis_id` },
  {
    name: 'custom.stage',
    label: 'Stage',
    type: 'select',
    sql: sql`stage`,
    options: [{ id: 'opt_a', label: 'A' }],
    normalize: (text) => (text === 'A' ? 'opt_a' : text),
  },
])
const EXISTING = { theses: new Set(['th_known']), tags: new Set(['AI']) }
const status: Filter = { field: 'status', op: 'eq', value: 'active' }
const gone: Filter = { field: 'custom.batch', op: 'eq', value: 'W24' }
const describe = (filter: Filter | null) =>
  describeMissing({ filter, sort: [], columns: [] }, fields, EXISTING)

test('conditions on deleted fields are left out, and groups that they leave empty', () => {
  for (const [filter, applied] of [
    [null, null],
    [status, status],
    [gone, null],
    [{ not: gone }, null],
    [{ and: [status, gone] }, { and: [status] }],
    [{ or: [{ and: [gone] }, { not: { or: [gone, status] } }] }, { or: [{ not: { or: [status] } }] }],
  ] as [Filter | null, Filter | null][]) {
    const described = describe(filter)
    assert.deepEqual(described.applied.filter, applied, JSON.stringify(filter))
    const isMissing = JSON.stringify(filter).includes('batch')
    const expected = [{ kind: 'field', name: 'custom.batch', used_in: 'filter' }]
    assert.deepEqual(described.missing, isMissing ? expected : [])
  }
})

test('deleted theses are named, and the filter stays as it is', () => {
  const filter: Filter = { field: 'thesis_id', op: 'in', value: ['th_known', 'th_gone'] }
  assert.deepEqual(namedIn([filter, null, { not: filter }]), { theses: ['th_known', 'th_gone'], tags: [] })
  const { missing, applied } = describe(filter)
  assert.deepEqual(missing, [{ kind: 'thesis', name: 'th_gone', used_in: 'filter' }])
  assert.deepEqual(applied.filter, filter)
})

test('theses and tags of the companies of deals are named, too', () => {
  const filter: Filter = {
    and: [
      { field: 'company_thesis_id', op: 'eq', value: 'th_gone' },
      { field: 'company_tags', op: 'in', value: ['Gone'] },
    ],
  }
  assert.deepEqual(namedIn([filter]), { theses: ['th_gone'], tags: ['Gone'] })
})

test('tags that no company has and options that were removed are named, and the filter stays', () => {
  const filter: Filter = {
    or: [
      { field: 'tags', op: 'in', value: [' AI ', 'Gone'] },
      { field: 'custom.stage', op: 'not_in', value: ['A', 'opt_gone', 'opt_lost'] },
      { field: 'status', op: 'eq', value: 'odd' },
    ],
  }
  assert.deepEqual(namedIn([filter]).tags, ['AI', 'Gone'])
  const known = fieldsByName('company', [
    ...fields.values(),
    { name: 'tags', label: 'Tags', type: 'text', sql: sql`tags` },
  ])
  const { missing, applied } = describeMissing({ filter, sort: [], columns: [] }, known, EXISTING)
  assert.deepEqual(missing, [
    { kind: 'tag', name: 'Gone', used_in: 'filter' },
    { kind: 'option', name: 'custom.stage', used_in: 'filter' },
  ])
  assert.deepEqual(applied.filter, filter)
})

test('sorts and columns of deleted fields are left out', () => {
  const sort = [{ field: 'custom.batch' }, { field: 'status' }]
  const columns = [{ field: 'status', width: 90 }, { field: 'custom.batch' }, { field: 'actions' }]
  const { missing, applied } = describeMissing({ filter: null, sort, columns }, fields, EXISTING)
  assert.deepEqual(
    missing.map(({ used_in }) => used_in),
    ['sort', 'columns'],
  )
  assert.deepEqual(applied.sort, [sort[1]])
  assert.deepEqual(applied.columns, [columns[0], columns[2]])
})

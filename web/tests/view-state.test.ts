import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  canShift,
  moveColumn,
  pinColumn,
  resizeColumn,
  shiftColumn,
  tidyColumns,
  toggleColumn,
} from '#web/views/column-state.ts'
import { readControls, wordControl } from '#web/views/filter-controls.ts'
import { changedContent, differences, EMPTY_STATE, parseSort, sortText } from '#web/views/view-state.ts'

const DEFAULTS = { columns: [{ field: 'status' }, { field: 'hq_city' }], sort: '-created_at' }
const active = { field: 'status', op: 'eq' as const, value: 'active' }
const scored = { field: 'llm_score_overall', op: 'gte' as const, value: 70 }

test('a list differs from its view only in what it shows', () => {
  const saved = { ...EMPTY_STATE, filter: { and: [active, scored] }, sort: parseSort('-name') }
  for (const same of [
    { ...saved },
    { ...saved, search: '' },
    { ...saved, columns: DEFAULTS.columns },
    { ...saved, columns: [{ field: 'status', pinned: false }, { field: 'hq_city' }] },
    {
      ...saved,
      filter: { and: [{ value: 'active', op: 'eq' as const, field: 'status' }, { and: [scored] }] },
    },
    { ...saved, sort: [{ field: 'name', direction: 'desc' as const, nulls: 'last' as const }] },
  ])
    assert.deepEqual(differences(same, saved, DEFAULTS), [], JSON.stringify(same))
  assert.deepEqual(
    differences({ ...saved, sort: parseSort('-created_at') }, { ...saved, sort: [] }, DEFAULTS),
    [],
  )
  // Deals are sorted by stage unless they say otherwise.
  const ofDeals = { ...DEFAULTS, sort: 'stage' }
  assert.deepEqual(
    differences({ ...saved, sort: parseSort('-created_at') }, { ...saved, sort: [] }, ofDeals),
    ['sort'],
  )

  assert.deepEqual(differences({ ...saved, filter: null }, saved, DEFAULTS), ['filter'])
  assert.deepEqual(differences({ ...saved, filter: { or: [active, scored] } }, saved, DEFAULTS), ['filter'])
  assert.deepEqual(differences({ ...saved, search: 'robots', sort: [] }, saved, DEFAULTS), ['search', 'sort'])
  for (const columns of [
    [{ field: 'hq_city' }, { field: 'status' }],
    [{ field: 'status', width: 200 }, { field: 'hq_city' }],
    [{ field: 'status', pinned: true }, { field: 'hq_city' }],
    [{ field: 'name' }],
  ])
    assert.deepEqual(
      differences({ ...saved, columns }, saved, DEFAULTS),
      ['columns'],
      JSON.stringify(columns),
    )
})

test('a malformed filter counts as different and does not fail', () => {
  for (const filter of ['{', 7, [], { and: 'x' }, { not: null }, { and: [null, 'x'] }])
    assert.deepEqual(differences({ ...EMPTY_STATE, filter: filter as never }, EMPTY_STATE, DEFAULTS), [
      'filter',
    ])
})

test('saving sends only the parts that differ', () => {
  const state = { ...EMPTY_STATE, search: 'robots', columns: DEFAULTS.columns }
  assert.deepEqual(changedContent(state, differences(state, EMPTY_STATE, DEFAULTS)), { search: 'robots' })
})

test('a version from before layouts has none, and a list without a layout sends none', () => {
  const { layout: _layout, ...before } = EMPTY_STATE
  assert.deepEqual(differences(EMPTY_STATE, before as typeof EMPTY_STATE, DEFAULTS), [])
  assert.deepEqual(changedContent({ ...EMPTY_STATE, search: 'robots' }, ['search', 'layout']), {
    search: 'robots',
  })
  assert.deepEqual(changedContent({ ...EMPTY_STATE, layout: 'table' }, ['layout']), { layout: 'table' })
})

test('a control reads only words that are normalized as in the service', () => {
  const controls = { status: wordControl('status') }
  const status = (value: string) => ({ field: 'status', op: 'eq' as const, value })
  assert.deepEqual(readControls<{ status: string }>(status('due_diligence'), controls), {
    status: 'due_diligence',
  })
  for (const written of ['Active', 'Due Diligence', 'due-diligence', '_active', 'on__hold', '???'])
    assert.deepEqual(readControls<{ status: string }>(status(written), controls), { filter: status(written) })
})

test('a sort reads the same from the address and from a view', () => {
  assert.equal(
    sortText(parseSort('-llm_score_overall,name,custom.batch')),
    '-llm_score_overall,name,custom.batch',
  )
  assert.equal(sortText(parseSort('-created_at')), undefined)
  assert.equal(sortText(parseSort('-created_at,name')), '-created_at,name')
  assert.deepEqual(parseSort(undefined), [])
  const nullsFirst = [{ field: 'revenue_eur', direction: 'desc' as const, nulls: 'first' as const }]
  assert.deepEqual(parseSort(sortText(nullsFirst)), nullsFirst)
  assert.deepEqual(
    differences(
      { ...EMPTY_STATE, sort: nullsFirst },
      { ...EMPTY_STATE, sort: parseSort('-revenue_eur') },
      DEFAULTS,
    ),
    ['sort'],
  )
})

test('columns are moved, pinned, resized, and hidden', () => {
  const columns = [{ field: 'a', pinned: true }, { field: 'b' }, { field: 'c', width: 90 }]
  const fields = (list: readonly { field: string }[]) => list.map(({ field }) => field).join('')
  assert.equal(fields(shiftColumn(columns, 'c', -1)), 'acb')
  assert.equal(fields(shiftColumn(columns, 'c', 1)), 'abc')
  assert.deepEqual(
    [canShift(columns, 'a', -1), canShift(columns, 'b', -1), canShift(columns, 'c', 1)],
    [false, true, false],
  )

  // The neighbor decides whether a moved column is pinned.
  assert.deepEqual(moveColumn(columns, 'c', 'a', 'before')[0], { field: 'c', width: 90, pinned: true })
  assert.deepEqual(moveColumn(columns, 'a', 'c', 'after'), [
    { field: 'b' },
    { field: 'c', width: 90 },
    { field: 'a' },
  ])
  assert.equal(fields(moveColumn(columns, 'x', 'a', 'after')), 'abc')

  assert.deepEqual(pinColumn(columns, 'c', true)[1], { field: 'c', width: 90, pinned: true })
  assert.deepEqual(pinColumn(columns, 'a', false)[0], { field: 'a' })
  assert.equal(resizeColumn(columns, 'b', 1)[1]?.width, 60)
  assert.equal(resizeColumn(columns, 'b', 5000)[1]?.width, 800)
  assert.deepEqual(resizeColumn(columns, 'c', undefined)[2], { field: 'c' })
  assert.equal(fields(toggleColumn(columns, 'b', false)), 'ac')
  assert.equal(fields(toggleColumn(columns, 'd', true)), 'abcd')
  assert.deepEqual(tidyColumns([{ field: 'a', width: null, pinned: false }]), [{ field: 'a' }])
})

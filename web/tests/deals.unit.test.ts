import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Deal } from '#web/api/service.ts'
import { canBeWon, daysInStage, isStuck } from '#web/deals/stuck.ts'
import { isUntouched, previousValues, withChanges } from '#web/editing/record-changes.ts'
import type { DealChanges } from '#web/screens/pipeline/deal-cache.ts'
import { dealsOfColumn, isIncomplete, matchingStatus } from '#web/screens/pipeline/deals.ts'
import { pipelineSearch } from '#web/screens/pipeline/pipeline-search.ts'
import {
  isBare,
  listOfStage,
  searchOf,
  stateOf,
  withExplicitView,
} from '#web/screens/pipeline/pipeline-view.ts'

const deal = (fields: Partial<Deal>): Deal =>
  ({
    id: 'df_1',
    stage: 'meeting',
    status: 'active',
    probability: null,
    amount_eur: null,
    lost_reason: null,
    custom: {},
    stage_entered_at: '2026-03-01T23:59:00.000Z',
    ...fields,
  }) as Deal
const at = (time: string) => Date.parse(time)

test('a deal is stuck after more than 30 days of the calendar in a stage, while it can still be won', () => {
  assert.equal(daysInStage(deal({}), at('2026-03-02T00:01:00Z')), 1)
  assert.equal(daysInStage(deal({}), at('2026-02-01T00:00:00Z')), 0)
  assert.equal(isStuck(deal({}), null, at('2026-03-31T23:59:00Z')), false)
  assert.equal(isStuck(deal({}), null, at('2026-04-01T00:00:00Z')), true)
  const late = at('2027-01-01T00:00:00Z')
  for (const status of ['won', 'lost', 'on_hold']) assert.equal(isStuck(deal({ status }), null, late), false)
  for (const outcome of ['won', 'lost'] as const) assert.equal(isStuck(deal({}), outcome, late), false)
})

test('a deal can be won unless its status or its stage says that it is closed', () => {
  assert.equal(canBeWon(deal({ status: 'on_hold' }), null), true)
  assert.equal(canBeWon(deal({ status: 'lost' }), null), false)
  assert.equal(canBeWon(deal({}), 'lost'), false)
})

test('moving to a stage for won or lost deals asks for the status, and a loss for its reason', () => {
  assert.equal(matchingStatus({ status: 'active' }, 'won'), 'won')
  assert.equal(matchingStatus({ status: 'won' }, 'won'), null)
  assert.equal(matchingStatus({ status: 'lost' }, null), 'active')
  assert.equal(matchingStatus({ status: 'on_hold' }, null), null)
  assert.equal(isIncomplete(deal({ status: 'lost' }), 'lost'), true)
  assert.equal(isIncomplete(deal({ status: 'lost', lost_reason: 'Price' }), 'lost'), false)
})

test('a column has each deal of its stage once, most likely first', () => {
  const first = [
    deal({ id: 'df_1' }),
    deal({ id: 'df_2', probability: 50 }),
    deal({ id: 'df_3', stage: 'x' }),
  ]
  const more = [
    deal({ id: 'df_2', probability: 50 }),
    deal({ id: 'df_4', probability: 80 }),
    deal({ id: 'df_5' }),
  ]
  assert.deepEqual(
    dealsOfColumn('meeting', first, more).map(({ id }) => id),
    ['df_4', 'df_2', 'df_5', 'df_1'],
  )
})

test('a change conflicts only with changes of the same field or custom value', () => {
  const seen = deal({ custom: { region: 'North', lead: 'a' } })
  const changes: DealChanges = { amount_eur: 5, custom: { region: null } }
  assert.deepEqual(previousValues(seen, changes), { amount_eur: null, custom: { region: 'North' } })
  assert.equal(
    isUntouched(seen, changes, deal({ notes: 'New', custom: { region: 'North', lead: 'b' } })),
    true,
  )
  assert.equal(isUntouched(seen, changes, deal({ custom: { region: 'South' } })), false)
  assert.equal(isUntouched(seen, changes, deal({ amount_eur: 7, custom: seen.custom })), false)
  assert.equal(isUntouched(seen, changes, deal({ amount_eur: 5, custom: {} })), true)
  assert.deepEqual(withChanges(seen, { custom: { lead: 'b' } }).custom, { region: 'North', lead: 'b' })
})

test('the address of the pipeline keeps the parameters that it knows', () => {
  const filter = { field: 'round', op: 'eq', value: 'Seed' }
  assert.deepEqual(pipelineSearch({ owner: 'me', stuck: true, filter, page: '3', view: 'list', odd: 1 }), {
    layout: 'list',
    owner: 'me',
    stuck: true,
    filter,
    page: 3,
  })
  assert.deepEqual(pipelineSearch({ owner: 'ada', stuck: 'no', page: 1, view: 'board' }), {
    layout: 'board',
  })
})

test('the controls of the pipeline are part of the filter of a view, and read from it', () => {
  const round = { field: 'round', op: 'eq' as const, value: 'Seed' }
  const seed = { or: [round, { field: 'round', op: 'is_empty' as const }] }
  for (const search of [
    { layout: 'board' as const },
    { layout: 'list' as const, status: 'active', owner: 'me' as const, sort: '-amount_eur,stage' },
    { layout: 'board' as const, stage: 'initial', stuck: true as const, filter: seed },
    { layout: 'board' as const, filter: { and: [round, seed] } },
  ]) {
    const state = stateOf(search, [])
    assert.deepEqual(searchOf('view_1', state), { view: 'view_1', ...search })
  }
  const read = (filter: NonNullable<Parameters<typeof stateOf>[0]['filter']>) =>
    searchOf('view_1', { ...stateOf({}, []), filter })
  // Saved with its keys in another order.
  assert.deepEqual(read({ value: true, op: 'eq', field: 'is_stuck' }), {
    view: 'view_1',
    layout: 'board',
    stuck: true,
  })
  // In another order, it stays a filter, so that the pipeline shows the view without changes.
  const reversed = { and: [round, { field: 'status', op: 'eq' as const, value: 'active' }] }
  assert.deepEqual(read(reversed), { view: 'view_1', layout: 'board', filter: reversed })
})

test('the list of a stage keeps the view, and starts at its first page', () => {
  assert.deepEqual(pipelineSearch({ ...listOfStage({ view: 'view_1', owner: 'me', page: 3 }, 'meeting') }), {
    view: 'view_1',
    owner: 'me',
    layout: 'list',
    stage: 'meeting',
  })
})

test('an address that only names a view opens it, and one that loses its last filter does not', () => {
  assert.equal(isBare({ view: 'view_1', deal: 'df_1', page: 2 }), true)
  assert.equal(isBare({ view: 'view_1', layout: 'board' }), false)
  assert.deepEqual(withExplicitView({ deal: 'df_1' }), { deal: 'df_1', view: 'all' })
  assert.deepEqual(withExplicitView({ owner: 'me' }), { owner: 'me' })
})

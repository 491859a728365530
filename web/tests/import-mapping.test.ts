import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  assignColumn,
  type Choice,
  createField,
  createFields,
  fieldOfColumn,
  newFieldOf,
} from '#web/screens/import/mapping.ts'
import {
  enteredOptions,
  moved,
  newOption,
  optionDrafts,
} from '#web/screens/settings/components/option-drafts.ts'
import {
  enteredStages,
  newStage,
  stageDrafts,
  stageErrors,
  withLabel,
} from '#web/screens/settings/stages/stage-drafts.ts'

const start: Choice = { mapping: {}, assigned: { name: ['Firm'] } }
const taken = new Set(['batch'])

test('a field that is created for a column keeps its type when its label changes', () => {
  const created = createField(start, 'Batch', taken)
  assert.deepEqual(created.mapping, { 'custom.batch_2': { column: 'Batch' } })
  const typed = createField(created, 'Batch', taken, { type: 'select' })
  const labeled = createField(typed, 'Batch', taken, { label: 'YC round' })
  assert.deepEqual(labeled.mapping, {
    'custom.yc_round': { column: 'Batch', label: 'YC round', type: 'select' },
  })
  assert.equal(fieldOfColumn(labeled.assigned, 'Batch'), 'custom.yc_round')
  assert.deepEqual(newFieldOf(labeled.mapping, 'name'), undefined)
})

test('a column that is assigned to another field leaves no field to create behind', () => {
  const created = createField(start, 'Batch', taken)
  assert.deepEqual(assignColumn(created, 'Batch', null), start)
  assert.deepEqual(assignColumn(created, 'Batch', 'status').mapping, { status: 'Batch' })
})

test('a field takes another column, or keeps its columns and reads further ones where these are blank', () => {
  const city: Choice = { mapping: {}, assigned: { hq_city: ['City'] } }
  assert.deepEqual(assignColumn(city, 'Town', 'hq_city').mapping, { hq_city: 'Town' })
  const both = assignColumn(city, 'Town', 'hq_city', true)
  assert.deepEqual(both.mapping, { hq_city: ['City', 'Town'] })
  const three = assignColumn(both, 'Seat', 'hq_city', true)
  assert.deepEqual(assignColumn(three, 'City', null).mapping, { hq_city: ['Town', 'Seat'] })
  assert.deepEqual(assignColumn(both, 'City', null).mapping, { hq_city: 'Town' })
  assert.deepEqual(assignColumn(both, 'Town', 'name'), {
    mapping: { hq_city: 'City', name: 'Town' },
    assigned: { hq_city: ['City'], name: ['Town'] },
  })
})

test('columns with similar names get fields with different keys', () => {
  const { mapping } = createFields(start, ['Round', 'round!', ''], new Set())
  assert.deepEqual(Object.keys(mapping), ['custom.round', 'custom.round_2', 'custom.field'])
  assert.deepEqual(mapping['custom.field'], { column: '', label: 'Field' })
})

test('options keep their ids when they are renamed and moved', () => {
  const drafts = optionDrafts({
    options: [
      { id: 'opt_1', label: 'A' },
      { id: 'opt_2', label: 'B' },
    ],
  })
  assert.deepEqual(enteredOptions([...moved(drafts, 1, -1), newOption()]), [
    { id: 'opt_2', label: 'B' },
    { id: 'opt_1', label: 'A' },
  ])
  assert.deepEqual(moved(['a', 'b'], 1, 1), ['a', 'b'])
})

test('stages survive their form unchanged, and the key of a new one follows its label', () => {
  const stages = [
    { key: 'initial', label: 'First look', default_probability: 10, outcome: null },
    { key: 'invested', label: 'Invested', default_probability: null, outcome: 'won' as const },
  ]
  const config = { stages, updated_at: '2026-03-02T09:30:00.000Z', updated_by: null }
  const drafts = stageDrafts(config)
  assert.deepEqual(enteredStages(drafts), stages)
  const added = withLabel([...drafts, newStage()], 2, 'Invested!')
  assert.equal(added[2]?.key, 'invested_2')
  assert.equal(withLabel(added, 0, 'Scouted')[0]?.key, 'initial')
  const twice = added.toSpliced(2, 1, { ...newStage(), label: '', key: 'initial', probability: '101' })
  assert.deepEqual(Object.keys(stageErrors(twice)[2] ?? {}), ['label', 'key', 'probability'])
  assert.deepEqual(stageErrors(added), [{}, {}, {}])
})

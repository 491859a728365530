import assert from 'node:assert/strict'
import { test } from 'node:test'
import { delayBeforeCheck } from '#web/screens/import/check-delay.ts'
import type { Question } from '#web/screens/import/components/report/report.ts'
import {
  commonDecision,
  countOpenQuestions,
  decide,
  decideAll,
  sentDecisions,
  UNDECIDED,
} from '#web/screens/import/decisions.ts'
import {
  editCell,
  editOf,
  excludeRow,
  includeRow,
  isExcluded,
  NO_EDITS,
  undoCell,
} from '#web/screens/import/edits.ts'
import {
  formFields,
  type ImportSettings,
  INITIAL_SETTINGS,
  withChoice,
  withFormat,
  withReading,
} from '#web/screens/import/settings.ts'

const question = (row: number, kind: Question['kind']): Question => ({
  ...{ row, kind, name: `Firm ${row}`, website: null, country: null, hq_city: null },
  ...{ message: '', companies: [], decision: 'keep_apart' },
})
const website = [question(2, 'website'), question(3, 'website')]
const others = [question(4, 'name'), question(5, 'ambiguous')]
const all = [...website, ...others]

test('a decision about some rows never reaches others', () => {
  const updated = decide(UNDECIDED, website, 'update')
  assert.equal(commonDecision(updated, website), 'update')
  assert.equal(commonDecision(updated, all), null)
  assert.deepEqual(sentDecisions(updated), {
    onConflict: 'keep_apart',
    conflicts: [
      { row: 2, decision: 'update' },
      { row: 3, decision: 'update' },
    ],
  })
})

test('rows that are decided like all others are not sent', () => {
  const skipped = decide(decide(decideAll('skip'), website, 'skip'), [question(4, 'name')], 'keep_apart')
  assert.deepEqual(sentDecisions(skipped), {
    onConflict: 'skip',
    conflicts: [{ row: 4, decision: 'keep_apart' }],
  })
})

test('a question is open until the user chooses, even if the choice is the default', () => {
  const report = { questions: all, questions_omitted: 7 }
  const open = (decisions: typeof UNDECIDED) => countOpenQuestions(report, decisions)
  const kept = decide(UNDECIDED, website, 'keep_apart')
  assert.deepEqual([open(UNDECIDED), open(kept), open(decide(kept, others, 'skip'))], [11, 9, 7])
  assert.equal(open(decideAll('keep_apart')), 0)
  assert.deepEqual(sentDecisions(kept), { onConflict: 'keep_apart', conflicts: [] })
  assert.equal(commonDecision(UNDECIDED, website), null)
})

const cell = { row: 7, column: 'Employees', name: 'Moraine', value: 'soon' }

test('an edited cell keeps the value of the file, and returning to it ends the edit', () => {
  const once = editCell(NO_EDITS, cell, '50')
  const twice = editCell(once, { ...cell, value: '50' }, '60')
  assert.deepEqual(twice.cells, [{ ...cell, edited: '60' }])
  assert.deepEqual(editCell(twice, cell, 'soon'), NO_EDITS)
  assert.deepEqual(undoCell(twice, cell), NO_EDITS)
  assert.equal(editOf(twice, { ...cell, row: 8 }), undefined)
})

test('a row is left out once, and can be included again', () => {
  const reed = { row: 9, name: 'Reed' }
  const out = excludeRow(excludeRow(NO_EDITS, reed), reed)
  assert.deepEqual(out.excluded, [reed])
  assert.equal(isExcluded(out, 9), true)
  assert.deepEqual(includeRow(out, reed), NO_EDITS)
})

test('a row that looks like no company can be included, and left out again', () => {
  const footer = { row: 12, name: 'Confidential Computing' }
  const included = includeRow(NO_EDITS, footer)
  assert.equal(
    formFields({ ...INITIAL_SETTINGS, edits: included }).repairs,
    JSON.stringify({ include: [12] }),
  )
  assert.deepEqual(excludeRow(included, footer), NO_EDITS)
})

const changed: ImportSettings = {
  ...INITIAL_SETTINGS,
  ...{ badCells: 'fail', onTrashed: 'restore', formats: { Umsatz: { unit: 'million' } } },
  reading: { encoding: 'cp850', delimiter: '\t', headerRow: 0, sheet: 'Deals' },
  choice: { mapping: { name: ['Firm', 'Name'], hq_city: 'Région' }, assigned: {} },
  edits: excludeRow(editCell(NO_EDITS, cell, '50'), { row: 9, name: '' }),
  decisions: { all: 'update', rows: { 4: 'skip' } },
  identifyBy: 'custom.crm_id',
}

test('a form contains the user’s decisions, and no defaults of the service', () => {
  assert.deepEqual(formFields(INITIAL_SETTINGS), {})
  assert.deepEqual(formFields(changed), {
    ...{ encoding: 'cp850', delimiter: '\t', header_row: '0', sheet: 'Deals' },
    ...{ on_trashed: 'restore', on_conflict: 'update', bad_cells: 'fail' },
    identify_by: 'custom.crm_id',
    mapping: '{"name":["Firm","Name"],"hq_city":"Région"}',
    formats: '{"Umsatz":{"unit":"million"}}',
    repairs:
      '{"cells":[{"row":7,"column":"Employees","value":"50"}],"exclude":[9],"conflicts":[{"row":4,"decision":"skip"}]}',
  })
})

test('another header, delimiter, or sheet drops the decisions about columns and rows', () => {
  for (const reading of [{ headerRow: 3 }, { delimiter: ';' }, { sheet: 'Old' }] as const) {
    const { encoding, ...input } = {
      encoding: 'cp850',
      delimiter: '\t',
      headerRow: 0,
      sheet: 'Deals',
      ...reading,
    }
    assert.deepEqual(withReading(changed, reading), {
      ...INITIAL_SETTINGS,
      ...{ badCells: 'fail', onTrashed: 'restore', reading: { encoding, ...input } },
    })
  }
})

test('another encoding keeps the decisions about rows, and about columns with ASCII names', () => {
  const edits = editCell(changed.edits, { ...cell, column: 'Größe' }, '5')
  const after = withReading({ ...changed, edits }, { encoding: 'windows-1252' })
  assert.deepEqual(after.choice.mapping, { name: ['Firm', 'Name'] })
  assert.deepEqual(
    [after.edits, after.decisions, after.formats],
    [changed.edits, changed.decisions, changed.formats],
  )
})

test('the parts of a column’s format are changed one by one', () => {
  const once = withFormat(INITIAL_SETTINGS, 'Umsatz', { decimal: ',' })
  const twice = withFormat(once, 'Umsatz', { currency: 'USD', rates: { USD: 0.9 } })
  assert.deepEqual(twice.formats, { Umsatz: { decimal: ',', currency: 'USD', rates: { USD: 0.9 } } })
})

test('checks start as soon as typing pauses, and a minute of edits stays below the rate limit', () => {
  const RATE_LIMIT = 60
  const starts: number[] = []
  let now = 0
  while (now < 300_000) {
    // The next edit comes as soon as a check has started.
    now += delayBeforeCheck(starts, now)
    starts.push(now)
  }
  assert.ok((starts[9] ?? 0) < 7000)
  for (const start of starts) {
    const inMinute = starts.filter((other) => other >= start && other < start + 60_000)
    assert.ok(inMinute.length < RATE_LIMIT, `${inMinute.length} in the minute from ${start}`)
  }
})

test('a field that no longer has a column identifies nothing', () => {
  const assigned = { 'custom.crm_id': ['Id'] }
  assert.equal(withChoice(changed, { mapping: {}, assigned }).identifyBy, 'custom.crm_id')
  assert.equal(withChoice(changed, { mapping: {}, assigned: {} }).identifyBy, null)
})

test('a field to create identifies companies only as long as it is a text', () => {
  const assigned = { 'custom.crm_id': ['Id'] }
  for (const [type, identifyBy] of [
    ['text', 'custom.crm_id'],
    ['number', null],
  ] as const) {
    const mapping = { 'custom.crm_id': { column: 'Id', type } }
    assert.equal(withChoice(changed, { mapping, assigned }).identifyBy, identifyBy, type)
  }
})

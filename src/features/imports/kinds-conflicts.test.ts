import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { slow } from '#src/testing/slow.ts'
import { accountedRows, ImportsUnderTest } from './imports.fixture.ts'
import { ON_CONFLICT, type OnConflict } from './schema.ts'

let api: TestApp
let imports: ImportsUnderTest
const opened: TestApp[] = []
beforeEach(async () => {
  api = await testApp()
  opened.push(api)
  imports = new ImportsUnderTest(api)
})
after(async () => {
  for (const app of opened) await app.close()
})

const HEADER = 'Company,Website,Country,City,Employees\n'
const EXISTING = `${HEADER}Known Ltd,known.example,Spain,Vigo,5\nTwice Ltd,,Spain,Bilbao,6\nTwice Ltd,,Spain,Girona,7\n`

/** A row in each kind of conflict with what exists. */
const CONFLICTS = {
  website: 'Other Ltd,www.known.example/other,Spain,Vigo,50\n',
  name: 'Known Ltd,known-too.example,Spain,Vigo,60\n',
  city: 'Known Ltd,,Spain,Cádiz,60\n',
  ambiguous: 'Twice Ltd,,Spain,,70\n',
}

const state = async () =>
  (await imports.latest(20))
    .map(({ name, hq_city, employee_count }) => `${name}, ${hq_city}: ${employee_count}`)
    .toSorted()

for (const [kind, row] of Object.entries(CONFLICTS)) {
  const expected: Record<OnConflict, [created: number, updated: number, left: number]> = {
    keep_apart: [1, 0, 0],
    update: [0, 1, 0],
    skip: [0, 0, 1],
  }
  const skip = kind !== 'website' && slow
  test(`a conflict of the ${kind} is kept apart, updates, or is left out`, { skip }, async () => {
    await imports.import(EXISTING)
    const before = await state()
    for (const on_conflict of ['skip', 'keep_apart'] as const) {
      const report = await imports.import(`${HEADER}${row}`, { on_conflict })
      assert.deepEqual([report.created, report.updated, report.left_out], expected[on_conflict], on_conflict)
      assert.deepEqual([report.conflicts, report.questions[0]?.decision], [1, on_conflict])
      assert.equal(report.questions[0]?.kind, kind === 'city' ? 'name' : kind)
      const unchanged = (await state()).filter((one) => before.includes(one))
      assert.deepEqual(unchanged, before, 'existing companies are as they were')
    }
  })
  test(`a conflict of the ${kind} updates the existing company if the person chooses it`, {
    skip,
  }, async () => {
    await imports.import(EXISTING)
    const total = await imports.total()
    const report = await imports.import(`${HEADER}${row}`, { on_conflict: 'update' })
    assert.deepEqual([report.created, report.updated, report.left_out], expected.update)
    assert.equal(await imports.total(), total)
  })
}

test('a decision for a row counts before the one for all', async () => {
  await imports.import(EXISTING)
  const file = `${HEADER}${CONFLICTS.website}${CONFLICTS.name}Free Ltd,,,,1\n${CONFLICTS.ambiguous}`
  const conflicts = [
    { row: 2, decision: 'update' as const },
    { row: 5, decision: 'keep_apart' as const },
  ]
  const dry = await imports.report(file, { on_conflict: 'skip', repairs: { conflicts }, dry_run: true })
  const report = await imports.report(file, { on_conflict: 'skip', repairs: { conflicts } })
  for (const { created, updated, left_out, questions } of [dry, report]) {
    assert.deepEqual([created, updated, left_out], [2, 1, 1])
    assert.deepEqual(
      questions.map(({ row, decision }) => [row, decision]),
      [
        [2, 'update'],
        [3, 'skip'],
        [5, 'keep_apart'],
      ],
    )
  }
  assert.deepEqual(
    report.left_out_rows.map(({ row }) => row),
    [3],
  )
})

test('each decision accounts for every row of a file with conflicts of its own', { skip: slow }, async () => {
  const file =
    `${HEADER}Alpha Holding,alpha.example,Italy,Rome,1\nAlpha Foods,alpha.example/foods,Italy,Bari,2\n` +
    'Beta,beta-one.example,Italy,Rome,3\nBeta,beta-two.example,Italy,Rome,4\nBeta,,,,5\n,,,,6\n'
  const existing: Record<OnConflict, number> = { keep_apart: 5, update: 2, skip: 2 }
  for (const on_conflict of ON_CONFLICT) {
    const own = await testApp()
    opened.push(own)
    const ownImports = new ImportsUnderTest(own)
    const report = await ownImports.import(file, { on_conflict })
    assert.equal(accountedRows(report), 6, on_conflict)
    assert.equal(await ownImports.total(), existing[on_conflict], on_conflict)
    assert.equal(report.failed, 1)
    assert.equal(report.conflicts, 3, on_conflict)
  }
})

test('a question names the row and the companies that it may be', async () => {
  await imports.import(EXISTING)
  const { questions } = await imports.report(`${HEADER}${CONFLICTS.website}${CONFLICTS.ambiguous}`, {
    dry_run: true,
  })
  const known = await imports.company('Known Ltd')
  const [website, ambiguous] = questions
  assert.deepEqual(
    website?.companies.map(({ id, row, name }) => [id, row, name]),
    [[known.id, null, 'Known Ltd']],
  )
  assert.match(website?.message ?? '', /Known Ltd/)
  assert.equal(ambiguous?.companies.length, 2)
  assert.deepEqual([website?.row, ambiguous?.row], [2, 3])
})

test('an undo after an import with conflicts brings back what was there', async () => {
  await imports.import(EXISTING)
  const before = await state()
  const report = await imports.report(`${HEADER}${CONFLICTS.website}${CONFLICTS.name}`, {
    on_conflict: 'update',
  })
  assert.notDeepEqual(await state(), before)
  const undo = await api.call('POST', `/api/actions/${report.action_id}/undo`)
  assert.equal(undo.status, 200, JSON.stringify(undo.body))
  assert.deepEqual(await state(), before)
})

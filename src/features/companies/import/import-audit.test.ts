import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestApp, testApp } from '#src/testing/app.ts'
import type { ImportCounts } from './import.ts'
import { importCsv } from './import-csv.ts'

let api: TestApp
before(async () => {
  api = await testApp()
})
after(() => api.close())

test('an interrupted import is audited with what it has stored', async () => {
  const { customFields, longBatchLength, longDb: db, objects } = api.context
  async function* file() {
    yield Buffer.from(
      `name\n${Array.from({ length: 600 }, (_, n) => `Firm ${n} ${'x'.repeat(100)}\n`).join('')}`,
    )
    throw new Error('the connection closed')
  }
  const interrupted: ImportCounts[] = []
  const audit = {
    finished: () => assert.fail('it has not finished'),
    interrupted: (counts: ImportCounts) => void interrupted.push(counts),
  }
  const authorizeFields = () => assert.fail('it creates no field')
  const onStart = async () => {}
  const options = { dryRun: false, onTrashed: 'skip', mapping: {}, audit, onStart, authorizeFields } as const
  const restore = () => assert.fail('nothing is in the trash')
  await assert.rejects(
    importCsv({ db, longBatchLength, customFields, objects, restore }, null, file(), options),
    /the connection closed/,
  )
  assert.deepEqual(interrupted, [
    { created: 500, updated: 0, unchanged: 0, trashed: 0, restored: 0, failed: 0 },
  ])
  assert.equal((await api.call('GET', '/api/companies?limit=0')).body.pagination.total, 500)
})

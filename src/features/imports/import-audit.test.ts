import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { importFile } from './import-file.ts'
import type { ImportCounts } from './import-options.ts'

let api: TestApp
before(async () => {
  api = await testApp()
})
after(() => api.close())

test('an interrupted import is audited with what it has stored', async () => {
  const { customFields, longBatchLength, longDb: db, objects, uploads } = api.context
  const rows = Array.from({ length: 1200 }, (_, n) => `Firm ${n} ${'x'.repeat(100)}\n`)
  const bytes = Buffer.from(`name\n${rows.join('')}`)
  const file = {
    size: bytes.length,
    async *read() {
      yield bytes
    },
  }
  const ended = new AbortController()
  const interrupted: ImportCounts[] = []
  const options = {
    ...({ dryRun: false, onTrashed: 'skip', onConflict: 'keep_apart', badCells: 'blank' } as const),
    ...{
      mapping: {},
      formats: {},
      repairs: {},
      table: {},
      identifyBy: undefined,
      temporary: uploads,
      signal: ended.signal,
    },
    requireAllowed: () => {},
    audit: {
      finished: () => assert.fail('it has not finished'),
      interrupted: (counts: ImportCounts) => void interrupted.push(counts),
    },
    onStart: async () => {},
    onProgress: (share: number) => {
      if (share > 0.9) ended.abort(new Error('the service stops'))
    },
    authorizeFields: () => assert.fail('it creates no field'),
  }
  await assert.rejects(
    importFile({ db, longBatchLength, customFields, objects }, null, file, options),
    /the service stops/,
  )
  const [counts] = interrupted
  const { total } = (await api.call('GET', '/api/companies?limit=0')).body.pagination
  assert.deepEqual([interrupted.length, counts?.created, total > 0 && total < 1200], [1, total, true])
})

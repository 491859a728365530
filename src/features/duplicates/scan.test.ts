import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { newCompany } from '#src/features/companies/company-row.ts'
import { insertCompanies } from '#src/features/companies/store.ts'
import { newId } from '#src/platform/ids.ts'
import { runCommandLine } from '#src/testing/command-line.ts'
import { freshDatabase, prepareDataFolder, testServer } from '#src/testing/database.ts'
import { createDatabase, templateOn } from '#src/testing/postgres.ts'
import { slow } from '#src/testing/slow.ts'
import { plantDuplicates } from './planted.fixture.ts'
import { scanDuplicates } from './scan.ts'

test('the command compares all companies of the database', { skip: slow }, async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-duplicates-'))
  const postgres = testServer ? await createDatabase(testServer, await templateOn(testServer)) : undefined
  try {
    await prepareDataFolder(folder)
    const env = { DATA_DIR: folder, DATABASE_URL: postgres?.url ?? '' }
    const { output, errors } = await runCommandLine(['duplicates', 'scan'], { env, cwd: folder })
    assert.match(output, /^Compared 0 companies in [\d.]+ s: 0 pairs may be duplicates\.\n$/, errors)
    const wrong = await runCommandLine(['duplicates', 'scan', 'again'], { env, cwd: folder })
    assert.deepEqual([wrong.status, /Unexpected argument: again/.test(wrong.errors)], [2, true])
  } finally {
    await postgres?.drop()
    await rm(folder, { recursive: true })
  }
})

test('planted duplicates are found among companies that are only alike', async () => {
  const { long: db, close } = await freshDatabase()
  const { companies, kinds } = plantDuplicates(2000, 200, 7)
  const ids = companies.map(() => newId('cmp'))
  for (let start = 0; start < ids.length; start += 500) {
    const batch = companies.slice(start, start + 500)
    await insertCompanies(batch.map((fields, n) => newCompany(ids[start + n] as string, fields))).execute(db)
  }
  await scanDuplicates(db)
  const { rows } = await sql<{ older_id: string; newer_id: string }>`
    select older_id, newer_id from duplicates where older_id = any(${ids}) and newer_id = any(${ids})`.execute(
    db,
  )
  await close()
  const index = new Map(ids.map((id, n) => [id, n]))
  const found = rows.map(({ older_id, newer_id }) => `${index.get(older_id)} ${index.get(newer_id)}`)
  const correct = found.filter((pair) => kinds.has(pair)).length
  assert.ok(correct / found.length >= 0.95, `precision: ${correct} of ${found.length}`)
  assert.ok(correct / kinds.size >= 0.9, `recall: ${correct} of ${kinds.size}`)
})

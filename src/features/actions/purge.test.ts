import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { profileKey } from '#src/features/companies/store.ts'
import { folderObjects } from '#src/platform/objects/folder.ts'
import { testApp } from '#src/testing/app.ts'
import { purgeExpired } from './purge.ts'

test('a purge with an Idempotency-Key that fails halfway is completed later', async (t) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-purge-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const files = folderObjects(folder)
  let fails = true
  const objects = {
    ...files,
    // The request fails after the files are gone, as in a crash.
    delete: async (keys: Iterable<string>) => {
      await files.delete(keys)
      if (fails) throw new Error('The store is down.')
    },
  }
  const api = await testApp({ WORKER: 'off' }, { objects })
  t.after(() => api.close())
  const { body } = await api.call('POST', '/api/companies', { name: 'Half' })
  const { id } = body.data
  await api.context.objects.write([[profileKey(id), '{}']])
  await api.call('DELETE', `/api/companies/${id}`)
  const headers = { 'x-user-email': 'ada@example.com', 'idempotency-key': 'purge-once' }
  const purge = () => api.call('DELETE', `/api/trash/${id}`, undefined, { headers })
  assert.equal((await purge()).status, 503)
  assert.equal((await api.call('POST', `/api/trash/${id}/restore`)).status, 404)
  fails = false
  assert.equal((await purge()).status, 204)
  assert.equal((await purge()).headers['idempotency-replayed'], 'true')
  const { db } = api.context
  assert.equal(await purgeExpired({ db, objects }, 30, new AbortController().signal), 0)
})

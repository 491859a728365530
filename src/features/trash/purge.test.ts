import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { pino } from 'pino'
import { profileKey, sourceKey } from '#src/features/companies/files.ts'
import { RECORD_KINDS } from '#src/kinds.ts'
import { folderObjects } from '#src/platform/objects/folder.ts'
import { type Objects, StoreRefusal } from '#src/platform/objects/objects.ts'
import { testApp } from '#src/testing/app.ts'
import { hourlyPurge, purgeExpired } from './purge.ts'

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
  assert.equal(
    (await purgeExpired({ db, objects, kinds: RECORD_KINDS }, 30, new AbortController().signal)).purged,
    0,
  )
})

const REFUSAL = 'The bucket deals refuses to delete objects (403).'

/** A store that refuses to delete some files. */
function refusingStore(folder: string, refuses: (key: string) => boolean): Objects {
  const files = folderObjects(folder)
  return {
    ...files,
    delete: async (keys) => {
      for (const key of keys) {
        if (refuses(key)) throw new StoreRefusal(REFUSAL)
        await files.delete([key])
      }
    },
  }
}

async function openRefusing(t: { after(work: () => unknown): void }, refuses: (key: string) => boolean) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-purge-'))
  const objects = refusingStore(folder, refuses)
  const lines: { msg: string; records?: number }[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const api = await testApp({ WORKER: 'off' }, { objects, log })
  t.after(async () => {
    await api.close()
    await rm(folder, { recursive: true, force: true })
  })
  const trash = async (name: string) => {
    const { id } = (await api.call('POST', '/api/companies', { name })).body.data
    await api.context.objects.write([[profileKey(id), '{}']])
    await api.call('DELETE', `/api/companies/${id}`)
    return id as string
  }
  const { db, refusedDeletions } = api.context
  const expire = () => sql`update trash set deleted_at = now() - interval '31 days'`.execute(db)
  const purge = hourlyPurge({ db, objects, kinds: RECORD_KINDS }, 30, refusedDeletions, log)
  const remaining = async () =>
    (await sql<{ id: string }>`select id from trash order by id`.execute(db)).rows.map(({ id }) => id)
  return { api, lines, objects, trash, expire, purge: () => purge(new AbortController().signal), remaining }
}

test('a company whose files the store refuses to delete does not keep the others', async (t) => {
  const refused = new Set<string>()
  const { api, lines, objects, trash, expire, purge, remaining } = await openRefusing(t, (key) =>
    refused.has(key),
  )
  const ids = [await trash('First'), await trash('Second'), await trash('Third')]
  refused.add(sourceKey(ids[0] as string))
  await expire()
  await purge()
  assert.deepEqual(await remaining(), [ids[0]])
  const { status, body } = await api.call('GET', '/readyz')
  assert.equal(status, 200)
  assert.deepEqual(body.warnings, [
    `Records in the trash cannot be purged: ${REFUSAL} The next attempt is in an hour.`,
  ])
  assert.match(await api.context.metrics.registry.metrics(), /^refused_deletions 1$/m)
  assert.deepEqual(
    lines.map(({ msg, records }) => ({ msg, records })),
    [{ msg: body.warnings[0], records: 1 }],
  )
  const direct = await api.call('DELETE', `/api/trash/${ids[0]}`)
  assert.equal(direct.status, 503)
  assert.match(direct.body.details, /refuses to delete objects/)
  refused.clear()
  const { purged } = await purgeExpired(
    { db: api.context.db, objects, kinds: RECORD_KINDS },
    30,
    new AbortController().signal,
  )
  assert.equal(purged, 1)
  assert.deepEqual(await remaining(), [])
})

test('when the store refuses all deletions, companies alone remain, without a request for each of them', async (t) => {
  let requested = 0
  const { api, trash, expire, purge, remaining } = await openRefusing(t, () => {
    requested += 1
    return true
  })
  const companies: string[] = []
  for (let n = 0; n < 120; n++) companies.push(await trash(`Company ${n}`))
  const { id } = (await api.call('POST', '/api/theses', { code: 'T', title: 'Thesis' })).body.data
  await api.call('DELETE', `/api/theses/${id}`)
  await expire()
  await purge()
  assert.deepEqual(await remaining(), companies.toSorted())
  assert.ok(requested <= 101, `${requested} times`)
})

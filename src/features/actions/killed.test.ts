import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ended, killAll, launch, ready } from '#dev/processes.ts'
import { createClient } from '#src/client/client.ts'
import { createPostgres, prepareDataFolder, testServer } from '#src/testing/database.ts'
import { eventually } from '#src/testing/eventually.ts'
import { freePort } from '#src/testing/free-port.ts'
import { NO_RATE_LIMITS } from '#src/testing/settings.ts'

/** 50 for the full proof. */
const KILLS = Number(process.env.LEDGER_KILLS ?? 1)
const COMPANIES = 1500

const ends: (() => Promise<unknown>)[] = []
after(async () => {
  killAll()
  for (const end of ends.toReversed()) await end()
})

test(`undos killed ${KILLS} times leave no half record, and are continued`, async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-undo-'))
  const database = testServer ? await createPostgres(testServer) : undefined
  await prepareDataFolder(folder)
  ends.push(() => rm(folder, { recursive: true, force: true }), database?.drop ?? (async () => {}))
  const port = String(await freePort())
  const baseUrl = `http://localhost:${port}`
  const settings = {
    ...NO_RATE_LIMITS,
    PORT: port,
    DATA_DIR: folder,
    DATABASE_URL: database?.url,
    WORKER: 'off',
    EMBEDDINGS: 'off',
  }
  const start = async () => {
    const service = launch('main.ts', folder, settings)
    await ready(baseUrl, service)
    return service
  }
  const client = createClient({ baseUrl, headers: { 'x-user-email': 'ada@example.com' } })
  const total = async (list: 'listCompanies' | 'listTrash' | 'listDeals') =>
    (await client[list]({ querystring: { limit: 0 } })).pagination.total

  let service = await start()
  const csv = Array.from({ length: COMPANIES }, (_value, n) => `Company ${n},https://c${n}.example`)
  const { data: imported } = await client.importCompanies({ body: `name,website\n${csv.join('\n')}\n` })
  const [company] = (await client.listCompanies({ querystring: { limit: 1 } })).data
  await client.createDeal({ body: { company_id: company?.id ?? '' } })
  let action = imported.action_id as string
  for (let kill = 0; kill < KILLS; kill++) {
    const undoing = client.undoAction({ params: { id: action }, body: {} }).catch(() => undefined)
    await sleep(Math.random() * 500)
    service.child.kill('SIGKILL')
    await ended(service.child)
    await undoing
    service = await start()
    const companies = await total('listCompanies')
    assert.equal(companies + (await total('listTrash')), COMPANIES, service.log())
    assert.ok((await total('listDeals')) <= companies)

    const { data: former } = await client.getAction({ params: { id: action } })
    if (former.undoable) continue
    action = former.undone_by as string
    await eventually(
      async () => {
        const count = await total('listCompanies')
        assert.ok(count === 0 || count === COMPANIES, `${count} companies`)
        const { data } = await client.getAction({ params: { id: action } })
        assert.ok(data.records >= COMPANIES, `${data.records} records`)
      },
      { timeoutMs: 60_000 },
    )
  }
})

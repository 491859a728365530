import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '#src/client/client.ts'
import { eventually } from '#src/testing/eventually.ts'
import {
  type KillableService,
  killableService,
  killService,
  removeServices,
} from '#src/testing/killable-service.fixture.ts'
import { loggedRandom } from '#src/testing/random.ts'
import { isQuick } from '#src/testing/slow.ts'

/** 50 for the full proof. */
const KILLS = Number(process.env.LEDGER_KILLS ?? 1)
const COMPANIES = isQuick ? 300 : 1500
const PARTS = 40

after(removeServices)

let client: Client
let start: KillableService['start']
before(async () => {
  const service = await killableService({ EMBEDDINGS: 'off' })
  client = service.client
  start = service.start
})

const countCompanies = async (search: string) =>
  (await client.listCompanies({ querystring: { search, limit: 0 } })).pagination.total
const countDeals = async (company_id?: string) =>
  (await client.listDeals({ querystring: { ...(company_id && { company_id }), limit: 0 } })).pagination.total
const findTrashed = async () => (await client.listTrash({ querystring: { limit: 1000 } })).data

/** What a kill interrupts. */
interface Work {
  /** Starts the work, of which the kill may interrupt any part. */
  begin(): Promise<unknown>
  /** Checks that all of it has happened, or nothing. */
  check(): Promise<void>
}

const importRows = async (names: string[], prefix: string) => {
  const rows = names.map((name, n) => `${name},https://${prefix}${n}.example`)
  return (await client.importCompanies({ body: `name,website\n${rows.join('\n')}\n` })).data
}

/** Undoes an import, and undoes that, and so on. */
async function undos(): Promise<Work> {
  const names = Array.from({ length: COMPANIES }, (_value, n) => `Company ${n}`)
  let action = (await importRows(names, 'c')).action_id as string
  const [company] = (await client.listCompanies({ querystring: { search: 'Company', limit: 1 } })).data
  await client.createDeal({ body: { company_id: company?.id ?? '' } })
  return {
    begin: () => client.undoAction({ params: { id: action }, body: {} }),
    check: async () => {
      // The service may be continuing the undo between the two readings.
      await eventually(async () => {
        const companies = await countCompanies('Company')
        const { total } = (await client.listTrash({ querystring: { limit: 0 } })).pagination
        assert.equal(companies + total, COMPANIES)
      })
      const { data: previous } = await client.getAction({ params: { id: action } })
      if (previous.undoable) return
      action = previous.undone_by as string
      await eventually(async () => {
        const count = await countCompanies('Company')
        assert.ok(count === 0 || count === COMPANIES, `${count} companies`)
        const { data } = await client.getAction({ params: { id: action } })
        assert.ok(data.records >= COMPANIES, `${data.records} records`)
      })
    },
  }
}

/** Changes many companies, or deletes them. */
async function changes(): Promise<Work> {
  await importRows(
    Array.from({ length: COMPANIES }, (_value, n) => `Many ${n}`),
    'm',
  )
  const filter = { field: 'name', op: 'contains', value: 'Many' } as const
  let round = 0
  return {
    begin: () => {
      round += 1
      if (round % 2 === 0) return client.deleteCompanies({ body: { filter } })
      return client.updateCompanies({ body: { filter, changes: { industry_category: `Round ${round}` } } })
    },
    check: async () => {
      await eventually(async () => {
        const companies = await countCompanies('Many')
        assert.ok(companies === 0 || companies === COMPANIES, `${companies} companies`)
        const querystring = { search: 'Many', industry_category: `Round ${round}`, limit: 0 }
        const { total } = (await client.listCompanies({ querystring })).pagination
        assert.ok(total === 0 || total === COMPANIES, `${total} changed companies`)
      })
      if ((await countCompanies('Many')) > 0) return
      const [deletion] = (await client.listActions({ querystring: { kind: 'delete', limit: 1 } })).data
      await client.undoAction({ params: { id: deletion?.id ?? '' }, body: {} })
    },
  }
}

/** Merges companies with a deal each, or undoes that. */
async function merges(): Promise<Work> {
  await importRows(
    Array.from({ length: PARTS }, (_value, n) => `Part ${n}`),
    'p',
  )
  const parts = (await client.listCompanies({ querystring: { search: 'Part', limit: PARTS } })).data
  const [survivor, ...from] = parts.map(({ id }) => id) as [string, ...string[]]
  for (const company_id of [survivor, ...from]) await client.createDeal({ body: { company_id } })
  const findMerge = async () =>
    (await client.listActions({ querystring: { kind: 'merge', limit: 1 } })).data.find(
      ({ undoable }) => undoable,
    )
  let merged: string | undefined
  return {
    begin: () =>
      merged
        ? client.undoAction({ params: { id: merged }, body: {} })
        : client.mergeCompanies({ params: { id: survivor }, body: { from } }),
    check: async () => {
      const action = await eventually(async () => {
        const found = await findMerge()
        const companies = await countCompanies('Part')
        assert.equal(companies, found ? 1 : PARTS)
        assert.equal(await countDeals(survivor), found ? PARTS : 1)
        return found
      })
      merged = action?.id
    },
  }
}

/** Deletes and purges a company with a deal and a file. */
async function purges(): Promise<Work> {
  let number = 0
  let id = ''
  return {
    begin: async () => {
      id = ''
      const name = `Gone ${number++}`
      await importRows([name], `g${number}-`)
      id = (await client.listCompanies({ querystring: { search: name, limit: 1 } })).data[0]?.id ?? ''
      await client.createDeal({ body: { company_id: id } })
      await client.deleteCompany({ params: { id } })
      await client.purgeRecord({ params: { id } })
    },
    check: async () => {
      if (!id) return
      if ((await findTrashed()).some((entry) => entry.id === id)) {
        await client.restoreRecord({ params: { id } })
        assert.equal(await countDeals(id), 1)
        await client.getSource({ params: { id } })
        return
      }
      if ((await client.listCompanies({ querystring: { ids: id } })).data.length > 0) return
      await eventually(async () => {
        const { data } = await client.listActivity({ querystring: { entity_id: id } })
        assert.ok(data.some(({ activity_type }) => activity_type === 'company_purged'))
      })
      assert.equal(await countDeals(id), 0)
      await assert.rejects(client.getSource({ params: { id } }))
    },
  }
}

test(`undos, changes, merges and purges are atomic when the process is killed (kills: ${KILLS})`, async (t) => {
  const random = loggedRandom(t)
  let service = await start()
  const all = [await undos(), await changes(), await merges(), await purges()]
  for (let kill = 0; kill < KILLS; kill++) {
    // The embedded database handles one request at a time: each work comes first at times.
    const order = [...all.slice(kill % all.length), ...all.slice(0, kill % all.length)]
    const running = order.map((work) => work.begin().catch(() => undefined))
    await sleep(random() * 500)
    await killService(service)
    await Promise.all(running)
    service = await start()
    for (const { check } of all.toReversed()) await check()
  }
})

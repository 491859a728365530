import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type KillableService,
  killableService,
  killService,
  removeServices,
} from '#src/testing/killable-service.fixture.ts'
import { loggedRandom } from '#src/testing/random.ts'

const KILLS = Number(process.env.IMPORT_KILLS ?? 10)
const ROWS = 1000

after(removeServices)

let service: KillableService
before(async () => {
  service = await killableService({ EMBEDDINGS: 'off' })
})

const fileOf = (kill: number): string => {
  const rows = Array.from(
    { length: ROWS },
    (_value, n) => `${n},Deal ${n},Meeting,${n},Sunk${kill}x ${n % 300}`,
  )
  return `Record ID,Deal Name,Deal Stage,Amount,Associated Company\n${rows.join('\n')}\n`
}

test('deals whose import is killed are complete, and importing the file again completes the rest', async (t) => {
  const random = loggedRandom(t)
  let running = await service.start()
  for (let kill = 0; kill < KILLS; kill++) {
    const { client } = service
    const query = { querystring: { create_companies: true, formats: '{"Amount": {"unit": "thousand"}}' } }
    // The records of each kill have other ids.
    const body = fileOf(kill).replaceAll(/\n(\d+),/g, `\n${kill}-$1,`)
    const importing = client.importDeals({ ...query, body }).catch(() => undefined)
    await sleep(200 + random() * 2000)
    await killService(running)
    await importing
    running = await service.start()
    const filter = JSON.stringify({ field: 'company_name', op: 'starts_with', value: `Sunk${kill}x` })
    const count = async () => {
      const companies = await client.listCompanies({ querystring: { search: `Sunk${kill}x`, limit: 0 } })
      const deals = await client.listDeals({ querystring: { filter, limit: 1000 } })
      return { deals, companies: companies.pagination.total }
    }
    const killed = await count()
    for (const { amount_eur, stage } of killed.deals.data)
      assert.ok(stage === 'meeting' && amount_eur !== null && amount_eur % 1000 === 0)
    const { total } = killed.deals.pagination
    assert.ok(killed.companies <= total, `${killed.companies} companies for ${total} deals`)
    const { data } = await client.importDeals({ ...query, body })
    assert.deepEqual([data.created, data.unchanged, data.failed], [ROWS - total, total, 0])
    const complete = await count()
    assert.deepEqual([complete.deals.pagination.total, complete.companies], [ROWS, 300])
    const again = await client.importDeals({ ...query, body })
    assert.deepEqual([again.data.unchanged, again.data.action_id], [ROWS, null])
    const [latest] = (await client.listImports({ querystring: { limit: 1 } })).data
    assert.deepEqual([latest?.type, latest?.state], ['deal', 'completed'])
  }
  await killService(running)
})

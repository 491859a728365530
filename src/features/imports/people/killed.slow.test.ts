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
    (_value, n) => `Person ${n},p${n}@kill${kill}.example,Killed${kill}x ${n % 300},Role ${n % 7}`,
  )
  return `Name,Email,Company,Title\n${rows.join('\n')}\n`
}

test('people whose import is killed are complete, and importing the file again completes the rest', async (t) => {
  const random = loggedRandom(t)
  let running = await service.start()
  for (let kill = 0; kill < KILLS; kill++) {
    const { client } = service
    const query = { querystring: { create_companies: true } }
    const importing = client.importPeople({ ...query, body: fileOf(kill) }).catch(() => undefined)
    await sleep(200 + random() * 2000)
    await killService(running)
    await importing
    running = await service.start()
    const search = `kill${kill}.example`
    const count = async () => {
      const people = await client.listPeople({ querystring: { search, limit: 1000 } })
      const companies = await client.listCompanies({ querystring: { search: `Killed${kill}x`, limit: 0 } })
      return { people, companies: companies.pagination.total }
    }
    const killed = await count()
    for (const { name, companies } of killed.people.data) assert.equal(companies.length, 1, name)
    const { total } = killed.people.pagination
    assert.ok(killed.companies <= total, `${killed.companies} companies for ${total} people`)
    const { data } = await client.importPeople({ ...query, body: fileOf(kill) })
    assert.deepEqual([data.created, data.unchanged, data.failed], [ROWS - total, total, 0])
    const complete = await count()
    assert.deepEqual([complete.people.pagination.total, complete.companies], [ROWS, 300])
    const again = await client.importPeople({ ...query, body: fileOf(kill) })
    assert.deepEqual([again.data.unchanged, again.data.action_id], [ROWS, null])
    const [latest] = (await client.listImports({ querystring: { limit: 1 } })).data
    assert.equal(latest?.state, 'completed')
  }
  await killService(running)
})

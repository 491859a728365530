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

const KILLS = Number(process.env.MERGE_KILLS ?? 20)
const COMPANIES = 10
/** People of each company, and notes about each. */
const EACH = 8

after(removeServices)

let service: KillableService
before(async () => {
  service = await killableService({ EMBEDDINGS: 'off' })
})

test(`merges of companies with people and notes are atomic when the process is killed ${KILLS} times`, async (t) => {
  const random = loggedRandom(t)
  const { client } = service
  let running = await service.start()
  const ids: string[] = []
  for (let n = 0; n < COMPANIES; n++) {
    const { id } = (await client.createCompany({ body: { name: `Part ${n}` } })).data
    ids.push(id)
    for (let m = 0; m < EACH; m++) {
      await client.createPerson({ body: { name: `Person ${n} ${m}`, companies: [{ company_id: id }] } })
      await client.createNote({ body: { body: 'Text', about: [{ type: 'company', id }] } })
    }
  }
  const [survivor, ...from] = ids as [string, ...string[]]
  /** How many people and notes a company has; null: it was merged. */
  const countOf = async (id: string) => {
    const { data: found } = await client.listCompanies({ querystring: { ids: id } })
    if (found.length === 0) return null
    const people = await client.listPeople({ querystring: { company_id: id, limit: 0 } })
    const notes = await client.listNotes({ querystring: { about: id, limit: 0 } })
    return [people.pagination.total, notes.pagination.total]
  }
  const all = COMPANIES * EACH
  const merged = [[all, all], ...from.map(() => null)]
  const split = ids.map(() => [EACH, EACH])
  const outcomes = { merged: 0, split: 0 }
  let duration = 1000
  for (let kill = 0; kill < KILLS; kill++) {
    const began = Date.now()
    const work = client
      .mergeCompanies({ params: { id: survivor }, body: { from } })
      .then(() => {
        duration = Date.now() - began
      })
      .catch(() => undefined)
    await sleep(random() * duration * 1.2)
    await killService(running)
    await work
    running = await service.start()
    const counts = await Promise.all(ids.map(countOf))
    const isMerged = counts[1] === null
    outcomes[isMerged ? 'merged' : 'split'] += 1
    assert.deepEqual(counts, isMerged ? merged : split, `kill ${kill}`)
    if (!isMerged) continue
    const [action] = (await client.listActions({ querystring: { kind: 'merge', limit: 1 } })).data
    const { data } = await client.undoAction({ params: { id: action?.id ?? '' }, body: {} })
    assert.deepEqual(data.skipped, [])
    assert.deepEqual(await Promise.all(ids.map(countOf)), split, `kill ${kill}, undone`)
  }
  t.diagnostic(JSON.stringify(outcomes))
})

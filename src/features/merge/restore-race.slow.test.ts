import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, type TestApp, testApp } from '#src/testing/app.ts'
import { loggedRandom } from '#src/testing/random.ts'

const RUNS = Number(process.env.MERGE_RACES ?? 20)

let api: TestApp
before(async () => {
  api = await testApp({ EMBEDDINGS: 'off', WORKER: 'off' })
})
after(() => api.close())

// biome-ignore lint/suspicious/noExplicitAny: tests assert what they expect
type Fields = any
const ok = ({ status, body }: Answer): Fields => {
  assert.ok(status < 300, `${status} ${JSON.stringify(body)}`)
  return body?.data
}
const create = async (url: string, fields: object): Promise<string> =>
  ok(await api.call('POST', url, fields)).id
const read = async (url: string) => ok(await api.call('GET', url))
const idsIn = (records: Fields[]) => records.map(({ id }) => id)

/** A record that refers to one that is merged, and what it refers to after. */
interface Case {
  path: string
  create(company: string, person: string): object
  referred(record: Fields): string[]
}

const CASES: readonly Case[] = [
  {
    path: '/api/notes',
    create: (company, person) => ({
      body: 'Met.',
      about: [{ type: 'company', id: company }],
      participants: [person],
    }),
    referred: ({ about, participants }) => [...idsIn(about), ...idsIn(participants)],
  },
  {
    path: '/api/people',
    create: (company_id) => ({ name: 'Ingrid', companies: [{ company_id }] }),
    referred: ({ companies }) => companies.map(({ company_id }: Fields) => company_id),
  },
  {
    path: '/api/dealflow',
    create: (company_id, source_id) => ({ company_id, source_type: 'person', source_id }),
    referred: ({ company_id, source_id }) => [company_id, source_id],
  },
]

test(`records that are restored during ${RUNS} merges refer to the survivors, and to the others after the undo`, async (t) => {
  const random = loggedRandom(t)
  for (let run = 0; run < RUNS; run++)
    for (const { path, create: fieldsOf, referred } of CASES) {
      const [company, survivor] = [
        await create('/api/companies', { name: 'A' }),
        await create('/api/companies', { name: 'B' }),
      ]
      const [person, other] = [
        await create('/api/people', { name: 'P' }),
        await create('/api/people', { name: 'Q' }),
      ]
      const id = await create(path, fieldsOf(company, person))
      const before = referred(await read(`${path}/${id}`))
      ok(await api.call('DELETE', `${path}/${id}`))
      const restoring = sleep(random() * 15).then(() => api.call('POST', `/api/trash/${id}/restore`))
      const merges = await Promise.all([
        api.call('POST', `/api/companies/${survivor}/merge`, { from: [company] }),
        api.call('POST', `/api/people/${other}/merge`, { from: [person] }),
      ])
      ok(await restoring)
      const survivors = new Map([
        [company, survivor],
        [person, other],
      ])
      const after = referred(await read(`${path}/${id}`))
      assert.deepEqual(
        after,
        before.map((one) => survivors.get(one)),
        `${path}, run ${run}`,
      )
      if (path === '/api/dealflow') continue
      for (const merge of merges)
        assert.deepEqual(
          ok(await api.call('POST', `/api/actions/${ok(merge).action_id}/undo`, {})).skipped,
          [],
        )
      assert.deepEqual(referred(await read(`${path}/${id}`)), before, `${path}, run ${run}`)
    }
})

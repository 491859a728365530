import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { testApp } from '#src/testing/app.ts'
import { assertError, type Client, dataOf, newUser } from './client.ts'
import {
  newBulkAction,
  newCompany,
  newDeal,
  newThesis,
  readCompany,
  storeFile,
  whenEnded,
} from './fixtures.ts'

interface Resource {
  what: string
  /** The path of a record, and the record as returned by GET. */
  create(client: Client): Promise<[path: string, record: Record<string, unknown>]>
  change: Record<string, unknown>
  /** Read-only fields with changed values, which are ignored. */
  readOnly: Record<string, unknown>
}

const company: Resource = {
  what: 'a company',
  create: async (client) => {
    const { id } = await newCompany(client, { country: 'Norway', executives: [{ name: 'Ingrid' }] })
    await storeFile(id, 'profile.json', '{"summary": "Looms"}')
    return [`/api/companies/${id}`, await readCompany(client, id)]
  },
  change: { hq_city: 'Oslo' },
  readOnly: { id: 'cmp_other', created_at: '2020-01-01T00:00:00.000Z', enriched_data: { summary: 'Mills' } },
}

const deal: Resource = {
  what: 'a dealflow entry',
  create: async (client) => {
    const record = await newDeal(client, { notes: 'Met.' })
    return [`/api/dealflow/${record.id}`, record]
  },
  change: { stage: 'meeting' },
  readOnly: { id: 'df_other', company_id: 'cmp_other', created_at: '2020-01-01T00:00:00.000Z' },
}

const thesis: Resource = {
  what: 'a thesis',
  create: async (client) => {
    const { id } = await newThesis(client, { summary: 'Labor is scarce.' })
    return [`/api/theses/${id}`, await dataOf(client.get(`/api/theses/${id}`))]
  },
  change: { status: 'archived' },
  readOnly: { id: 'th_other', updated_at: '2020-01-01T00:00:00.000Z' },
}

const user: Resource = {
  what: 'a user',
  create: async (client) => [
    `/api/users/${client.email}`,
    await dataOf(client.get(`/api/users/${client.email}`)),
  ],
  change: { preferences: { view_mode: 'compact', notifications_enabled: false } },
  readOnly: { email: 'other@example.com', name: 'Someone Else', updated_at: 'yesterday' },
}

const action: Resource = {
  what: 'a bulk action',
  create: async (client) => {
    const { id } = await newBulkAction(client)
    return [`/api/bulk-actions/${id}`, await whenEnded(client, id)]
  },
  change: { status: 'running' },
  readOnly: { id: 'ba_other', total_companies: 7, action_type: 'llm_score', priority: 95 },
}

describe('Read, change, write back works', { concurrency: true }, () => {
  for (const { what, create, change, readOnly } of [company, deal, thesis, user, action]) {
    test(`${what}: a whole record can be changed and sent back`, async () => {
      const client = newUser()
      const [path, record] = await create(client)
      const changed = await dataOf(client.patch(path, { ...record, ...change }))
      assert.deepEqual({ ...changed, ...change }, changed)
    })

    for (const [field, value] of Object.entries(readOnly))
      test(`${what}: the read-only ${field} is ignored whatever it holds`, async () => {
        const client = newUser()
        const [path, record] = await create(client)
        const changed = await dataOf(client.patch(path, { ...record, ...change, [field]: value }))
        assert.deepEqual({ ...changed, ...change }, changed)
        assert.notDeepEqual(changed[field], value)
      })

    test(`${what}: a copy that was read before three changes can be changed and sent back each time`, async () => {
      const client = newUser()
      const [path, record] = await create(client)
      for (let round = 0; round < 3; round++) {
        const changed = await dataOf(client.patch(path, { ...record, ...change }))
        await dataOf(client.patch(path, { ...changed, ...change }))
      }
    })

    test(`${what}: an unknown field is a 400 that names it`, async () => {
      const client = newUser()
      const [path, record] = await create(client)
      await assertError(client.patch(path, { ...record, color: 'red' }), 400, /color/)
    })
  }

  test('a company: sending it back unchanged records nothing', async () => {
    const client = newUser()
    const [path, record] = await company.create(client)
    await dataOf(client.patch(path, record))
    const { recent_activity } = await dataOf(client.get(path))
    assert.equal(recent_activity.length, 1)
  })

  test('a bulk action: read while pending and sent back as completed', async () => {
    // Without a worker, it stays pending between the two requests.
    const app = await testApp({ WORKER: 'off', LLM: 'off', EMBEDDINGS: 'off' })
    try {
      const company = await app.call('POST', '/api/companies', { name: 'Nordlys' })
      const body = { action_type: 'llm_score', company_ids: [company.body.data.id] }
      const { data } = (await app.call('POST', '/api/bulk-actions', body)).body
      const path = `/api/bulk-actions/${data.id}`
      const changed = await app.call('PATCH', path, { ...data, status: 'completed' })
      const { status, processed_companies, completed_at } = changed.body.data
      assert.deepEqual([status, processed_companies], ['completed', 1])
      assert.notEqual(completed_at, null)
    } finally {
      await app.close()
    }
  })
})

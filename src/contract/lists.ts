import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { assertError, bodyOf, type Client, dataOf, newUser } from './client.ts'
import { newBulkAction, newDeal, newThesis, storeFile } from './fixtures.ts'

const SEARCH = '/api/companies/search/semantic?q=nordlys'
const LISTS = ['/api/companies', '/api/theses', '/api/dealflow', '/api/activity', '/api/bulk-actions']
const withParameter = (path: string, parameter: string) => path + (path.includes('?') ? '&' : '?') + parameter

/** All GET paths of the contract except sign-in, where the provider adds parameters. */
let readable: { client: Client; paths: string[] }

describe('All bodies are JSON unless stated', () => {
  before(createReadable)

  test('every GET returns JSON, except the source data file', async () => {
    for (const path of readable.paths) {
      const { status, headers } = await readable.client.get(path)
      const type = path.endsWith('.csv') ? /^text\/csv/ : /^application\/json/
      assert.equal(status, 200, path)
      assert.match(headers.get('content-type') ?? '', type, path)
    }
  })
})

describe('Lists and parameters, what the contract leaves open', () => {
  before(createReadable)

  for (const path of [...LISTS, SEARCH]) {
    test(`${path}: limit over 1,000 is capped, and pagination.limit is 1,000`, async () => {
      const { pagination } = await bodyOf(newUser().get(withParameter(path, 'limit=5000')))
      assert.equal(pagination.limit, 1000)
    })

    test(`${path}: limit=0 returns only the total`, async () => {
      const { data, pagination } = await bodyOf(readable.client.get(withParameter(path, 'limit=0')))
      assert.deepEqual([data, pagination.limit], [[], 0])
      assert.ok(pagination.total > 0)
    })

    test(`${path}: an offset beyond the end gives an empty list with the total`, async () => {
      const { data, pagination } = await bodyOf(readable.client.get(withParameter(path, 'offset=9000')))
      assert.deepEqual([data, pagination.offset, pagination.hasMore], [[], 9000, false])
      assert.ok(pagination.total > 0)
    })

    for (const parameter of ['limit=-1', 'limit=ten', 'limit=1.5', 'offset=-1', 'offset=x'])
      test(`${path}: ${parameter} is a 400 that names it`, async () => {
        const [name = ''] = parameter.split('=')
        await assertError(newUser().get(withParameter(path, parameter)), 400, new RegExp(name))
      })
  }

  test('_ (a cache buster) is ignored on every route', async () => {
    for (const path of readable.paths)
      assert.equal((await readable.client.get(withParameter(path, '_=1741'))).status, 200, path)
  })

  test('an unknown parameter is a 400 that names it, on every route', async () => {
    for (const path of readable.paths) {
      const { status, body } = await readable.client.get(withParameter(path, 'contry=NO'))
      assert.equal(status, 400, path)
      assert.match(body.details, /contry/, path)
    }
  })

  test('an unknown parameter of a POST or PATCH is a 400 too', async () => {
    const { client } = readable
    await assertError(client.post('/api/companies?contry=NO', { name: 'Nordlys' }), 400, /contry/)
    const preferences = { view_mode: 'compact' }
    await assertError(client.patch(`/api/users/${client.email}?contry=NO`, { preferences }), 400, /contry/)
  })

  test('a trailing slash is accepted under /api', async () => {
    for (const path of readable.paths.filter((path) => path.startsWith('/api/') && path !== SEARCH))
      assert.equal((await readable.client.get(`${path}/`)).status, 200, path)
    await dataOf(readable.client.post('/api/companies/', { name: 'Nordlys' }), 201)
  })
})

async function createReadable(): Promise<void> {
  const client = newUser()
  const { company_id } = await newDeal(client)
  const thesis = await newThesis(client)
  const action = await newBulkAction(client)
  await storeFile(company_id, 'profile.json', '{}')
  await storeFile(company_id, 'source.csv', 'name\r\nNordlys\r\n')
  const details = [`companies/${company_id}`, `theses/${thesis.id}`, `bulk-actions/${action.id}`]
  const others = ['stats', `users/${client.email}`, 'auth/me', 'auth/status']
  const files = ['profile.json', 'source.csv'].map((name) => `/assets/companies/${company_id}/${name}`)
  readable = {
    client,
    paths: [...LISTS, SEARCH, ...[...details, ...others].map((path) => `/api/${path}`), ...files],
  }
}

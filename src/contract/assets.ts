import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { anonymous, assertError, bodyOf, newUser, signedIn } from './client.ts'
import { newCompany, readCompany, storeFile } from './fixtures.ts'
import { productionService } from './services.ts'

const OVERWRITTEN_LIMIT_MS = 30_000
const CSV = 'name,website\r\n"Nordlys, Robotics",https://nordlys.example\r\n'

/** Content of the file 30 seconds after it was overwritten. */
let overwritten: Promise<unknown[]>

/** Runs before all tests, so that the 30 seconds pass while they run. */
export async function overwriteFile(): Promise<void> {
  const client = newUser()
  const { id } = await newCompany(client)
  const read = async () => [
    (await bodyOf(client.get(`/assets/companies/${id}/profile.json`))).summary,
    (await readCompany(client, id)).enriched_data.summary,
  ]
  await storeFile(id, 'profile.json', '{"summary": "first"}')
  assert.deepEqual(await read(), ['first', 'first'])
  await storeFile(id, 'profile.json', '{"summary": "second"}')
  overwritten = sleep(OVERWRITTEN_LIMIT_MS).then(read)
}

async function newFile(name: string, content: string) {
  const client = newUser()
  const { id } = await newCompany(client)
  await storeFile(id, name, content)
  return { client, path: `/assets/companies/${id}/${name}` }
}

describe('4. Endpoints: Asset proxy', () => {
  test("GET /assets/companies/:id/profile.json: the company's enrichment profile", async () => {
    const content = '{\n  "summary": "Looms for mills, é"\n}\n'
    const { client, path } = await newFile('profile.json', content)
    const { status, text, headers } = await client.get(path)
    assert.deepEqual([status, text], [200, content])
    assert.match(headers.get('content-type') ?? '', /^application\/json/)
  })

  test("GET /assets/companies/:id/source.csv: the company's source data file", async () => {
    const { client, path } = await newFile('source.csv', CSV)
    const { status, text, headers } = await client.get(path)
    assert.deepEqual([status, text], [200, CSV])
    assert.match(headers.get('content-type') ?? '', /^text\/csv/)
  })

  test('the files are served with caching', async () => {
    const { client, path } = await newFile('profile.json', '{}')
    const { headers } = await client.get(path)
    assert.match(headers.get('cache-control') ?? '', /max-age=\d+/)
    const again = await client.get(path, { 'if-none-match': headers.get('etag') ?? '' })
    assert.deepEqual([again.status, again.text], [304, ''])
  })

  test('the asset prefix sits outside the /api prefix', async () => {
    const { client, path } = await newFile('profile.json', '{}')
    await assertError(client.get(`/api${path}`), 404)
  })
})

describe('4. Endpoints: Asset proxy, what the contract leaves open', () => {
  test('a missing file is a 404', async () => {
    const client = newUser()
    const { id } = await newCompany(client)
    for (const path of [`${id}/profile.json`, `${id}/source.csv`, 'cmp_none/profile.json', `${id}/other.txt`])
      await assertError(client.get(`/assets/companies/${path}`), 404)
  })

  test('in production the files need a user', async () => {
    const { id } = await newCompany(await signedIn())
    const path = `/assets/companies/${id}/profile.json`
    await assertError(anonymous(productionService()).get(path), 401)
    await assertError((await signedIn()).get(path), 404)
  })

  test('a file that another program overwrites is visible within 30 seconds', async () => {
    assert.deepEqual(await overwritten, ['second', 'second'])
    const { client, path } = await newFile('profile.json', '{}')
    const [, seconds] =
      /max-age=(\d+)/.exec((await client.get(path)).headers.get('cache-control') ?? '') ?? []
    assert.ok(Number(seconds) <= 30, `clients cache it for ${seconds} seconds`)
  })
})

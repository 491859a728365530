import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { rename, rm, writeFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { Readable } from 'node:stream'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ObjectStore, startObjectStore } from '#dev/object-store.ts'
import { profileKey, sourceKey } from '#src/features/companies/files.ts'
import { newId } from '#src/platform/ids.ts'
import type { Objects } from '#src/platform/objects/objects.ts'
import { s3Objects } from '#src/platform/objects/s3.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { testServer } from '#src/testing/database.ts'
import { eventually } from '#src/testing/eventually.ts'
import { PRODUCTION } from '#src/testing/settings.ts'
import { slow } from '#src/testing/slow.ts'

let store: ObjectStore
const services: Record<string, TestApp> = {}
before(async () => {
  store = await startObjectStore()
  services.folder = await testApp()
  services.s3 = await testApp(store.settings)
})
after(async () => {
  for (const service of Object.values(services)) await service.close()
  await store.close()
})

const LARGE = randomBytes(3_000_000)
const LAST_MODIFIED = /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/

interface Answer {
  status: number
  headers: Record<string, string>
  body: Buffer
}

async function request(
  { app }: TestApp,
  url: string,
  headers: Record<string, string> = {},
  method: 'GET' | 'HEAD' = 'GET',
): Promise<Answer> {
  const answer = await app.inject({ method, url, headers })
  return {
    status: answer.statusCode,
    headers: answer.headers as Record<string, string>,
    body: answer.rawPayload,
  }
}

/** Writes a company's files. */
async function fill({ context }: TestApp, profile: string | Buffer = '{"summary":"Looms"}'): Promise<string> {
  const id = newId('cmp')
  await context.objects.write([
    [profileKey(id), profile],
    [sourceKey(id), 'name,motto\r\nLoomworks,Since 1987 – für alle\r\n'],
  ])
  return id
}

for (const kind of ['folder', 's3'])
  test(`${kind}: both files are served with caching headers`, async () => {
    const api = services[kind] as TestApp
    const id = await fill(api)
    const profile = await request(api, `/assets/companies/${id}/profile.json`)
    assert.deepEqual([profile.status, profile.body.toString()], [200, '{"summary":"Looms"}'])
    assert.equal(profile.headers['content-type'], 'application/json; charset=utf-8')
    assert.equal(profile.headers['content-disposition'], undefined)
    assert.equal(profile.headers['cache-control'], 'private, max-age=10, must-revalidate')
    assert.equal(profile.headers['accept-ranges'], 'bytes')
    assert.equal(profile.headers['content-length'], '19')
    assert.match(profile.headers.etag ?? '', /^"[^"]+"$/)
    assert.match(profile.headers['last-modified'] ?? '', LAST_MODIFIED)
    const source = await request(api, `/assets/companies/${id}/source.csv`)
    assert.equal(source.body.toString(), 'name,motto\r\nLoomworks,Since 1987 – für alle\r\n')
    assert.equal(source.headers['content-type'], 'text/csv; charset=utf-8')
    assert.equal(source.headers['content-disposition'], `attachment; filename="${id}.csv"`)
    for (const file of ['profile.json', 'source.csv']) {
      const whole = await request(api, `/assets/companies/${id}/${file}`)
      const head = await request(api, `/assets/companies/${id}/${file}`, {}, 'HEAD')
      assert.deepEqual([head.status, head.body.length], [200, 0])
      for (const name of ['content-length', 'content-type', 'etag', 'last-modified', 'cache-control'])
        assert.equal(head.headers[name], whole.headers[name], name)
    }
  })

for (const kind of ['folder', 's3'])
  test(`${kind}: a current copy is not sent again`, async () => {
    const api = services[kind] as TestApp
    const id = await fill(api)
    const url = `/assets/companies/${id}/profile.json`
    const { headers } = await request(api, url)
    const { etag = '', 'last-modified': modified = '' } = headers
    const earlier = new Date(Date.parse(modified) - 60_000).toUTCString()
    const cases: [Record<string, string>, number][] = [
      [{ 'if-none-match': etag }, 304],
      [{ 'if-none-match': `"other", ${etag}` }, 304],
      [{ 'if-none-match': `W/${etag}` }, 304],
      [{ 'if-none-match': '*' }, 304],
      [{ 'if-none-match': '"other"' }, 200],
      [{ 'if-none-match': 'rubbish' }, 200],
      [{ 'if-modified-since': modified }, 304],
      [{ 'if-modified-since': earlier }, 200],
      [{ 'if-modified-since': 'yesterday' }, 200],
      [{ 'if-none-match': '"other"', 'if-modified-since': modified }, 200],
    ]
    for (const [conditions, status] of cases)
      for (const method of ['GET', 'HEAD'] as const) {
        const answer = await request(api, url, conditions, method)
        assert.equal(answer.status, status, JSON.stringify(conditions))
        if (status === 304)
          assert.deepEqual(
            [answer.body.length, answer.headers.etag, answer.headers['cache-control']],
            [0, etag, 'private, max-age=10, must-revalidate'],
          )
      }
    await api.context.objects.write([[profileKey(id), '{"summary":"Wool"}']])
    const changed = await request(api, url, { 'if-none-match': etag })
    assert.deepEqual([changed.status, changed.body.toString()], [200, '{"summary":"Wool"}'])
  })

for (const kind of ['folder', 's3'])
  for (const [size, bytes] of Object.entries({ small: LARGE.subarray(0, 1000), large: LARGE }))
    test(`${kind}: a part of a ${size} file, byte for byte`, async () => {
      const api = services[kind] as TestApp
      const id = await fill(api, bytes)
      const url = `/assets/companies/${id}/profile.json`
      const whole = await request(api, url)
      assert.ok(whole.body.equals(bytes))
      const last = bytes.length - 1
      const cases: [string, [number, number] | 200 | 416][] = [
        ['bytes=0-9', [0, 9]],
        ['bytes=10-', [10, last]],
        ['bytes=-5', [last - 4, last]],
        [`bytes=990-99999999`, [990, last]],
        ['bytes=-99999999', [0, last]],
        [`bytes=${bytes.length}-`, 416],
        ['bytes=9-0', 200],
        ['BYTES=0-9', [0, 9]],
        ['bytes=0-1,5-6', 200],
        ['bytes=abc', 200],
        ['lines=0-9', 200],
        ['rubbish', 200],
      ]
      for (const [range, expected] of cases) {
        const answer = await request(api, url, { range })
        if (typeof expected === 'number') {
          assert.equal(answer.status, expected, range)
          if (expected === 416) {
            assert.equal(answer.headers['content-range'], `bytes */${bytes.length}`)
            assert.match(answer.body.toString(), /Range must be within the \d+ bytes/)
            assert.equal(answer.headers['cache-control'], 'no-store')
          }
          if (expected === 200) assert.ok(answer.body.equals(bytes))
          continue
        }
        const [start, end] = expected
        assert.equal(answer.status, 206, range)
        assert.equal(answer.headers['content-range'], `bytes ${start}-${end}/${bytes.length}`)
        assert.equal(answer.headers['content-length'], String(end - start + 1))
        assert.ok(answer.body.equals(bytes.subarray(start, end + 1)), range)
      }
      const { etag = '' } = whole.headers
      assert.equal((await request(api, url, { range: 'bytes=0-9', 'if-range': etag })).status, 206)
      assert.equal((await request(api, url, { range: 'bytes=0-9', 'if-range': '"other"' })).status, 200)
      const head = await request(api, url, { range: 'bytes=0-9' }, 'HEAD')
      assert.deepEqual([head.status, head.headers['content-length']], [200, String(bytes.length)])
    })

/** Overwrites a company's profile like another program that uses the same storage. */
async function overwriteProfile({ config }: TestApp, id: string, content: string): Promise<void> {
  if (config.objects.s3)
    await s3Objects(config.objects.s3, profileKey(newId('cmp'))).write([[profileKey(id), content]])
  else await writeFile(path.join(config.dataFolder, 'objects', profileKey(id)), content)
}

for (const kind of ['folder', 's3'])
  test(`${kind}: a file that another program overwrites is visible within 30 seconds`, async ({ mock }) => {
    const api = services[kind] as TestApp
    const id = await fill(api, '{"n":1}')
    const read = async () => {
      const answer = await request(api, `/assets/companies/${id}/profile.json`)
      assert.equal(answer.headers.warning, undefined)
      return answer.body.toString()
    }
    assert.equal(await read(), '{"n":1}')
    let now = Date.now()
    mock.timers.enable({ apis: ['Date'], now })
    const wait = (milliseconds: number) => {
      now += milliseconds
      mock.timers.setTime(now)
    }
    await overwriteProfile(api, id, '{"n":22}')
    assert.equal(await read(), '{"n":1}')
    wait(10_000)
    assert.equal(await read(), '{"n":1}', 'the copy is sent immediately and checked in the background')
    while ((await read()) !== '{"n":22}') await sleep(10)
    await overwriteProfile(api, id, '{"n":333}')
    wait(20_000)
    assert.equal(await read(), '{"n":333}')
    const { headers } = await request(api, `/assets/companies/${id}/profile.json`)
    const browserSeconds = Number(/max-age=(\d+)/.exec(headers['cache-control'] ?? '')?.[1])
    assert.ok(browserSeconds + 20 <= 30, headers['cache-control'])
  })

test('changes and deletions of a large file by another process are visible immediately', async () => {
  const api = services.folder as TestApp
  const id = await fill(api, LARGE)
  const url = `/assets/companies/${id}/profile.json`
  const first = await request(api, url)
  const file = path.join(api.config.dataFolder, 'objects', profileKey(id))
  const other = randomBytes(2_000_000)
  await writeFile(`${file}.new`, other)
  await rename(`${file}.new`, file)
  const second = await request(api, url, { range: 'bytes=1999990-' })
  assert.deepEqual([second.status, second.headers['content-range']], [206, 'bytes 1999990-1999999/2000000'])
  assert.ok(second.body.equals(other.subarray(1_999_990)))
  assert.notEqual(second.headers.etag, first.headers.etag)
  await rm(file)
  assert.equal((await request(api, url)).status, 404)
})

test('a missing storage folder is an error, not an empty store', async () => {
  const api = await testApp()
  try {
    const id = await fill(api)
    const objects = path.join(api.config.dataFolder, 'objects')
    await rename(objects, `${objects}.away`)
    assert.equal((await request(api, `/assets/companies/${id}/profile.json`)).status, 503)
    await assert.rejects(api.context.objects.write([[profileKey(id), '{}']]), /ENOENT/)
    const unready = await api.call('GET', '/readyz')
    assert.equal(unready.status, 503)
    assert.match(
      unready.body.details,
      /object storage: The folder .*objects does not exist \(ENOENT\); check DATA_DIR/,
    )
    await rename(`${objects}.away`, objects)
    assert.equal((await request(api, `/assets/companies/${id}/profile.json`)).status, 200)
  } finally {
    await api.close()
  }
})

/** Requests a file, or another URL, from a service whose S3 server responds as given. */
async function requestWithStore(respond: (response: ServerResponse) => void, url?: string): Promise<Answer> {
  const server = createServer((_request, response) => respond(response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const api = await testApp({ ...store.settings, S3_ENDPOINT: `http://127.0.0.1:${port}` })
  try {
    return await request(api, url ?? `/assets/companies/${newId('cmp')}/profile.json`)
  } finally {
    await api.close()
    server.closeAllConnections()
    server.close()
  }
}

test('a store that hangs before or during a response gives a 503', {
  skip: slow || (testServer && 'embedded only'),
  timeout: 60_000,
}, async () => {
  const answers = await Promise.all([
    requestWithStore(() => {}),
    requestWithStore((response) => {
      response.writeHead(200, { 'content-length': '1000', etag: '"1"' })
      response.write('{}')
    }),
  ])
  for (const { status, headers } of answers)
    assert.deepEqual([status, headers['cache-control']], [503, 'no-store'])
})

test('/readyz fails if the store refuses the keys or the bucket, but not if it is down', async () => {
  assert.equal((await request(services.s3 as TestApp, '/readyz')).status, 200)
  const nowhere = await testApp({ ...store.settings, S3_BUCKET: 'none' })
  try {
    // A store that answers too late is like one that is down.
    await eventually(async () => {
      const { status, body } = await request(nowhere, '/readyz')
      assert.equal(status, 503)
      assert.equal(
        JSON.parse(body.toString()).details,
        'object storage: The bucket none cannot be used: it does not exist (404); check S3_BUCKET and S3_ENDPOINT.',
      )
    })
  } finally {
    await nowhere.close()
  }
  const readyWith = (status: number) =>
    requestWithStore((response) => response.writeHead(status).end(), '/readyz')
  const refused = await eventually(async () => {
    const answer = await readyWith(403)
    assert.equal(answer.status, 503)
    return answer
  })
  assert.match(refused.body.toString(), /access is denied \(403\); check S3_ACCESS_KEY_ID/)
  assert.equal((await readyWith(503)).status, 200)
  const cut = (response: ServerResponse) => void response.destroy()
  assert.equal((await requestWithStore(cut, '/readyz')).status, 200)
})

test('paths of other files are a 404', async () => {
  const api = services.folder as TestApp
  const id = await fill(api)
  const missing = [
    `/assets/companies/${newId('cmp')}/profile.json`,
    `/assets/companies/${newId('cmp')}/source.csv`,
    '/assets/companies/..%2f..%2f..%2fetc/profile.json',
    '/assets/companies/cmp_..%2fx/profile.json',
    '/assets/companies/cmp_../x/profile.json',
    `/assets/companies/${id.toUpperCase()}/profile.json`,
    `/assets/companies/${id}%00/profile.json`,
    `/assets/companies/${id.replace('cmp', 'th')}/profile.json`,
    `/assets/companies/cmp_${'0'.repeat(300)}/profile.json`,
    `/assets/companies/${id}/secret.txt`,
    `/assets/companies/${id}/profile.json/`,
    `/assets/companies/${id}/profile.json.tmp`,
    `/assets/companies/${id}/`,
    '/assets/',
    '/assets/companies/%E0%A4%A/profile.json',
  ]
  for (const url of missing) {
    const { status, body } = await request(api, url)
    assert.ok([400, 404].includes(status), `${url}: ${status}`)
    assert.equal(typeof JSON.parse(body.toString()).details, 'string')
  }
  const { body } = await request(api, missing[0] as string)
  assert.match(
    body.toString(),
    /The company cmp_\w+ has no profile\.json\. The bulk action enrich_profile creates it\./,
  )
  assert.throws(() => profileKey('../../etc/passwd'), /is not a company id/)
})

test('in production files need a user', async () => {
  const api = await testApp(PRODUCTION)
  try {
    const id = await fill(api)
    for (const method of ['GET', 'HEAD'] as const)
      assert.equal(
        (await request(api, `/assets/companies/${id}/profile.json`, { 'x-forwarded-proto': 'https' }, method))
          .status,
        401,
      )
  } finally {
    await api.close()
  }
})

test('while the store is down, the response is the cached copy with a warning, or a 503', async ({
  mock,
}) => {
  const file = Buffer.from('{}')
  let isDown = false
  const described = { size: file.length, etag: '"1"', modified: new Date(0) }
  const answer = async () => {
    if (isDown) throw new Error('secret address')
    return described
  }
  const objects: Objects = {
    read: async () => file,
    describe: answer,
    open: async () => ({ ...(await answer()), body: Readable.from([file]) }),
    write: async () => {},
    writeFile: async () => {},
    list: async function* () {},
    delete: async () => {},
  }
  const api = await testApp({}, { objects })
  try {
    const url = `/assets/companies/${newId('cmp')}/profile.json`
    isDown = true
    const down = await request(api, url)
    assert.equal(down.status, 503)
    assert.equal(JSON.parse(down.body.toString()).details, 'The object storage cannot be read.')
    isDown = false
    const fresh = await request(api, url)
    assert.deepEqual([fresh.status, fresh.headers.warning], [200, undefined])
    isDown = true
    mock.timers.enable({ apis: ['Date'], now: Date.now() + 61_000 })
    const stale = await request(api, url)
    assert.deepEqual([stale.status, stale.body.toString()], [200, '{}'])
    assert.equal(stale.headers.warning, '110 - "Response is Stale"')
  } finally {
    await api.close()
  }
})

import assert from 'node:assert/strict'
import { rename } from 'node:fs/promises'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import { newId } from '#src/platform/ids.ts'
import type { Objects } from '#src/platform/objects/objects.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { slow } from '#src/testing/slow.ts'
import { profileKey } from '../files.ts'

let api: TestApp
const logged: string[] = []
const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) })
before(async () => {
  api = await testApp({}, { log })
})
after(() => api.close())

const create = async (app: TestApp = api): Promise<string> =>
  (await app.call('POST', '/api/companies', { name: 'Profiled' })).body.data.id

/** The profile in a company's detail. */
async function readDetail(id: string, app: TestApp = api) {
  const { status, body } = await app.call('GET', `/api/companies/${id}`)
  assert.equal(status, 200, JSON.stringify(body))
  const { name, enriched_data, enriched_data_error } = body.data.company
  assert.equal(name, 'Profiled')
  return { enriched_data, enriched_data_error }
}

/** The profile in the detail of a company whose profile.json has this content. */
async function readDetailOf(content: string | Buffer) {
  const id = await create()
  await api.context.objects.write([[profileKey(id), content]])
  return readDetail(id)
}

test('the detail includes the profile from object storage', async () => {
  assert.deepEqual(await readDetail(await create()), { enriched_data: null, enriched_data_error: null })
  const profile = { summary: 'Ärgerlich "gut"', products: [1, 2], '': { deep: [{}] } }
  const expected = { enriched_data: profile, enriched_data_error: null }
  const text = JSON.stringify(profile, null, 2)
  assert.deepEqual(await readDetailOf(text), expected)
  assert.deepEqual(await readDetailOf(`\ufeff${text}\n`), expected, 'with a byte order mark')
  const large = { summary: 'x'.repeat(2_000_000) }
  assert.deepEqual((await readDetailOf(JSON.stringify(large))).enriched_data, large)
  assert.deepEqual(logged, [])
})

test('a profile that is not a JSON object is null, and the detail says why', async () => {
  const errors: [content: string | Buffer, error: RegExp][] = [
    ['{"cut short', /is not valid JSON\. Run the bulk action enrich_profile to write a new one\.$/],
    ['', /is not valid JSON/],
    [Buffer.from([0xff, 0xfe, 0x00]), /is not UTF-8/],
    ['{"a":1}}', /is not valid JSON/],
    ['["a"]', /is not a JSON object\. Run the bulk action enrich_profile to write a new one\.$/],
    ['null', /is not a JSON object/],
    ['"text"', /is not a JSON object/],
    ['1', /is not a JSON object/],
    [
      `{"a":"${'x'.repeat(4 * 1024 * 1024)}"}`,
      /larger than 4194304 bytes\. Download it from \/assets\/companies\/cmp_\w+\/profile\.json\.$/,
    ],
  ]
  for (const [content, error] of errors) {
    logged.length = 0
    const shown = await readDetailOf(content)
    assert.equal(shown.enriched_data, null)
    assert.match(shown.enriched_data_error, error)
    assert.equal(logged.length, 1)
    assert.match(logged[0] ?? '', /"company_id":"cmp_/)
    assert.doesNotMatch(logged[0] ?? '', /cut short/, 'the log does not quote the file')
  }
})

test('a company whose profile cannot be read can still be changed', async () => {
  const id = await create()
  await api.context.objects.write([[profileKey(id), 'rubbish']])
  assert.equal((await api.call('PATCH', `/api/companies/${id}`, { hq_city: 'Oslo' })).status, 200)
  const { data } = (await api.call('GET', `/api/companies/${id}`)).body
  assert.equal(data.company.hq_city, 'Oslo')
  assert.equal(data.recent_activity.length, 2)
  assert.equal((await api.call('GET', `/api/companies/${newId('cmp')}`)).status, 404)
})

const UNREADABLE = {
  enriched_data: null,
  enriched_data_error: 'The profile cannot be read from object storage. Try again in a moment.',
}

test('when object storage is down, the detail has no profile and the error is logged', async () => {
  const own = await testApp({}, { log })
  try {
    const id = await create(own)
    await own.context.objects.write([[profileKey(id), '{"n":1}']])
    const objects = path.join(own.config.dataFolder, 'objects')
    await rename(objects, `${objects}.away`)
    logged.length = 0
    assert.deepEqual(await readDetail(id, own), UNREADABLE)
    assert.equal(logged.length, 1)
    assert.match(logged[0] ?? '', /"err":\{.*ENOENT/)
    await rename(`${objects}.away`, objects)
    assert.deepEqual(await readDetail(id, own), { enriched_data: { n: 1 }, enriched_data_error: null })
  } finally {
    await own.close()
  }
})

test('object storage that hangs delays the detail by three seconds', { skip: slow }, async () => {
  let reads = 0
  const never = () => {
    reads += 1
    return new Promise<never>(() => {})
  }
  const size = 2_000_000
  const description = { size, etag: '"1"', modified: new Date(0) }
  const hanging: Objects = {
    read: never,
    describe: never,
    open: never,
    write: async () => {},
    writeFile: async () => {},
    list: async function* () {},
    delete: async () => {},
  }
  const stopsAtLarge: Objects = {
    ...hanging,
    open: async () => {
      reads += 1
      return { ...description, body: { destroy: () => {} } as never }
    },
  }
  for (const objects of [hanging, stopsAtLarge]) {
    const own = await testApp({}, { log, objects })
    try {
      const ids = [await create(own), await create(own)]
      logged.length = 0
      reads = 0
      const details = await Promise.all(ids.map((id) => readDetail(id, own)))
      assert.ok(reads >= ids.length)
      for (const shown of details) assert.deepEqual(shown, UNREADABLE)
      assert.match(logged.join(), /No answer within 3000 ms/)
    } finally {
      await own.close()
    }
  }
})

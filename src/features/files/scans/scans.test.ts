import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { startBackground } from '#src/background.ts'
import { notify } from '#src/features/notifications/consume.ts'
import { listenForMetrics } from '#src/platform/http/metrics.ts'
import { testApp } from '#src/testing/app.ts'
import { userWithRole } from '#src/testing/credentials.ts'
import { eventually } from '#src/testing/eventually.ts'
import { freePort } from '#src/testing/free-port.ts'
import { twoServices } from '#src/testing/processes.ts'
import { slow } from '#src/testing/slow.ts'
import { EICAR, EICAR_NAME, withClamd } from '#src/testing/virus-scanner.ts'
import { scanFiles } from './scan.ts'
import { ADA, BEN, PIA, type ScanService, scanService, type Uploaded, upload, ZOE } from './scans.fixture.ts'

let service: ScanService
before(async () => {
  if (!withClamd.skip) service = await scanService()
})
after(() => service?.close())

const rarely = { skip: withClamd.skip || slow }

const stateOf = ({ scan_state, scan_detail }: Uploaded) => [scan_state, scan_detail]
const contentOf = (id: string, query = '', email: string = ADA) =>
  service.call('GET', `/api/files/${id}/content?${query}`, email)

test('a file cannot be read before it is scanned', withClamd, async () => {
  const file = await service.upload('Plan.txt', 'A plan')
  assert.deepEqual(stateOf(file), ['pending', null])
  assert.equal(file.preview, null)
  const waiting = await contentOf(file.id)
  assert.equal(waiting.status, 409)
  assert.match(waiting.body.details, /has not been scanned for viruses yet/)
  await service.scan()
  assert.deepEqual(stateOf(await service.read(file.id)), ['clean', null])
  assert.deepEqual(await contentOf(file.id).then(({ status, body }) => [status, body]), [200, 'A plan'])
})

test(
  'an infected version is in quarantine for everyone, and others of the file are not',
  withClamd,
  async () => {
    const first = await service.upload('Deck.txt', 'The first deck', { email: BEN })
    await service.scan()
    const { id } = await service.upload('Deck.txt', EICAR, { email: BEN })
    assert.equal(id, first.id)
    await service.scan()
    const infected = await service.read(id)
    assert.deepEqual([...stateOf(infected), infected.version], ['infected', EICAR_NAME, 2])
    for (const email of [ADA, BEN, PIA]) {
      const { status, body } = await contentOf(id, '', email)
      assert.equal(status, 409)
      assert.match(body.details, /nobody can read it/)
    }
    assert.equal((await contentOf(id, 'version=1')).body, 'The first deck')
    const versions = (await service.call('GET', `/api/files/${id}/versions`)).body.data
    assert.deepEqual(
      versions.map(({ scan_state, scan_detail }: Uploaded) => [scan_state, scan_detail]),
      [
        ['infected', EICAR_NAME],
        ['clean', null],
      ],
    )
    const { data: history } = (await service.call('GET', `/api/activity?entity_id=${id}`)).body
    const [newest] = history
    assert.deepEqual(
      [newest.activity_type, newest.metadata],
      ['file_infected', { version: 2, found: EICAR_NAME }],
    )
    const { data: entries } = (await service.call('GET', '/api/audit?event=file_infected')).body
    assert.equal(entries.length, 1)
    assert.deepEqual(
      [entries[0].user_email, entries[0].details],
      [BEN, { file_id: id, version: 2, found: EICAR_NAME }],
    )
    const { id: clean } = await service.upload('Deck.txt', 'The third deck', { email: BEN })
    assert.equal(clean, id)
    await service.scan()
    assert.equal((await contentOf(id)).body, 'The third deck')
    const shown = await service.read(id)
    assert.deepEqual([shown.scan_state, shown.has_infected_version], ['clean', true])
    assert.equal((await contentOf(id, 'version=2')).status, 409)
  },
)

test(
  'only people with the permission to delete move an infected file to the trash, and admins purge it',
  withClamd,
  async () => {
    const { id } = await service.upload('Invoice.txt', `${EICAR} `, { email: BEN })
    const own = await service.upload('Own.txt', 'clean', { email: BEN })
    await service.scan()
    const refused = await service.call('DELETE', `/api/files/${id}`, BEN)
    assert.equal(refused.status, 403, JSON.stringify(refused.body))
    assert.match(refused.body.details, /\(delete\)/)
    assert.equal((await service.call('DELETE', `/api/files/${own.id}`, BEN)).status, 204)
    assert.equal((await service.call('DELETE', `/api/files/${id}`, PIA)).status, 204)
    const restored = await service.call('POST', `/api/trash/${id}/restore`, PIA)
    assert.ok(restored.status < 300, JSON.stringify(restored.body))
    assert.equal((await contentOf(id)).status, 409, 'it is still in quarantine')
    assert.equal((await service.call('DELETE', `/api/files/${id}`, PIA)).status, 204)
    const { rows } = await sql<{ object_key: string }>`
    select object_key from file_versions where file_id = ${id}`.execute(service.api.context.db)
    assert.ok(rows[0])
    const purged = await service.call('DELETE', `/api/trash/${id}`)
    assert.ok(purged.status < 300, JSON.stringify(purged.body))
    assert.equal(await service.api.context.objects.describe(rows[0].object_key), null)
  },
)

test('the uploader and the admins who may see the file are notified', withClamd, async () => {
  const { backgroundDb, log } = service.api.context
  const told = async (email: string) => {
    await notify(backgroundDb, log, new AbortController().signal)
    const { data } = (await service.call('GET', '/api/notifications?kind=file_infected', email)).body
    await service.api.call(
      'POST',
      '/api/notifications/done',
      { before: new Date().toISOString() },
      {
        headers: { 'x-user-email': email },
      },
    )
    return data.map(({ text, subject }: Uploaded) => [text, subject.name])
  }
  for (const email of [ADA, BEN, ZOE]) await told(email)
  await service.upload('Team.txt', `1${EICAR}`, { email: BEN })
  await service.scan()
  const text = 'Team.txt about Nordlys Robotics is infected, and in quarantine'
  assert.deepEqual(await told(ADA), [[text, 'Team.txt']])
  assert.deepEqual(await told(BEN), [[text, 'Team.txt']])
  assert.deepEqual(await told(ZOE), [])
  await service.upload('Secret.txt', `2${EICAR}`, { email: BEN, visibility: 'private' })
  await service.scan()
  assert.deepEqual(await told(ADA), [])
  assert.deepEqual(await told(BEN), [
    ['A file that you uploaded about Nordlys Robotics is infected, and in quarantine', null],
  ])
})

test('while the scanner is down, uploads wait, and operators are told', withClamd, async () => {
  const { api, clamd } = service
  const { context } = api
  await clamd.stop()
  const files = [await service.upload('Down 1.txt', 'one'), await service.upload('Down 2.txt', EICAR)]
  await assert.rejects(service.scan(), /The virus scanner 127\.0\.0\.1:\d+ refuses connections\./)
  await assert.rejects(service.scan(), /refuses connections/)
  for (const { id } of files) assert.deepEqual(stateOf(await service.read(id)), ['pending', null])
  const stop = startBackground(context, '', ['fileScans'])
  const port = await freePort()
  const closeMetrics = await listenForMetrics(context.metrics, { host: '127.0.0.1', port })
  try {
    const metric = /^files_waiting_for_virus_scan 2$/m
    await eventually(async () =>
      assert.match(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text(), metric),
    )
    const { status, body } = await api.call('GET', '/readyz')
    assert.equal(status, 200)
    assert.match(
      body.warnings.join(),
      /^The virus scanner 127\.0\.0\.1:\d+ refuses connections\. 2 versions of files wait for it\.$/,
    )
    await clamd.start()
    const states = () => Promise.all(files.map(async ({ id }) => (await service.read(id)).scan_state))
    await eventually(async () => assert.deepEqual(await states(), ['clean', 'infected']))
    assert.deepEqual((await api.call('GET', '/readyz')).body.warnings, [])
  } finally {
    closeMetrics()
    await stop()
  }
})

test('a file that cannot be scanned waits longer each time, and holds up no other', rarely, async () => {
  const { backgroundDb: db, objects } = service.api.context
  const [other, lost] = [await service.upload('Other.txt', 'other'), await service.upload('Lost.txt', 'lost')]
  const { rows } = await sql<{ object_key: string }>`
    select object_key from file_versions where file_id = ${lost.id}`.execute(db)
  const [{ object_key: key } = assert.fail()] = rows
  await objects.delete([key])
  const pauses: number[] = []
  for (let attempt = 0; attempt < 12; attempt++) {
    await service.scan()
    const { rows: waiting } = await sql<{ pause: number }>`
      select round(extract(epoch from next_scan_at - clock_timestamp()))::int as pause from file_versions
      where file_id = ${lost.id}`.execute(db)
    pauses.push(waiting[0]?.pause ?? Number.NaN)
    await service.endPauses()
  }
  assert.deepEqual(pauses, [5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600])
  assert.equal((await service.read(other.id)).scan_state, 'clean')
  assert.deepEqual(stateOf(await service.read(lost.id)), [
    'pending',
    'The virus scan failed and will be repeated.',
  ])
  await objects.write([[key, 'lost']])
  await service.endPauses()
  await service.scan()
  assert.deepEqual(stateOf(await service.read(lost.id)), ['clean', null])
})

test('while the object storage is down, files wait without longer pauses', withClamd, async () => {
  const { id } = await service.upload('Outage.txt', 'A plan for outages')
  const { objects } = service.api.context
  const { open } = objects
  const cutOff: typeof open = async (key) => {
    const object = await open(key)
    object?.body.destroy(new Error('read ECONNRESET'))
    return object
  }
  for (const failing of [() => Promise.reject(new Error('connect ECONNREFUSED')), cutOff]) {
    objects.open = failing
    await assert.rejects(service.scan(), /^Error: The object storage cannot be read/)
    assert.deepEqual(stateOf(await service.read(id)), ['pending', null])
  }
  objects.open = open
  await service.scan()
  assert.deepEqual(stateOf(await service.read(id)), ['clean', null])
})

test('a file that is purged while it is scanned leaves nothing', withClamd, async () => {
  const { backgroundDb: db, objects, log, virusScanner: scanner } = service.api.context
  const { id } = await service.upload('Gone.txt', `3${EICAR}`)
  assert.ok(scanner)
  const scan = async (...content: Parameters<typeof scanner.scan>) => {
    await sql`delete from file_versions where file_id = ${id}`.execute(db)
    return scanner.scan(...content)
  }
  const slow = Object.assign(Object.create(scanner), { scan, problem: () => undefined })
  await scanFiles({ db, objects, log, scanner: slow }, new AbortController().signal)
  const { body } = await service.call('GET', '/api/audit?event=file_infected')
  assert.ok(body.data.every(({ details }: Uploaded) => details.file_id !== id))
  await sql`delete from files where id = ${id}`.execute(db)
})

test('files beyond the limits of the scanner wait until the limits are raised', rarely, async () => {
  const { api, clamd } = service
  await clamd.stop()
  await clamd.start({ StreamMaxLength: '1M', MaxFileSize: '500K', AlertExceedsMax: 'yes' })
  try {
    const large = await service.upload('Large.bin', randomBytes(3 * 1024 * 1024))
    const medium = await service.upload('Medium.bin', randomBytes(700 * 1024))
    const small = await service.upload('Small.txt', 'small')
    await service.scan()
    assert.equal((await service.read(small.id)).scan_state, 'clean')
    const detail = (setting: string) =>
      `The file is too large for the virus scanner. An administrator can raise its ${setting}.`
    assert.deepEqual(stateOf(await service.read(large.id)), ['pending', detail('StreamMaxLength')])
    assert.deepEqual(stateOf(await service.read(medium.id)), ['pending', detail('MaxFileSize')])
    assert.equal((await contentOf(large.id)).status, 409)
    const { rows } = await sql<{ pauses: number[] }>`
      select array_agg(round(extract(epoch from next_scan_at - clock_timestamp()) / 60)::int) as pauses from file_versions
      where scan_state = 'pending'`.execute(api.context.db)
    assert.deepEqual(rows[0]?.pauses, [60, 60])
    await clamd.stop()
    await clamd.start()
    await service.endPauses()
    await service.scan()
    for (const { id } of [large, medium]) assert.equal((await service.read(id)).scan_state, 'clean')
  } finally {
    await clamd.stop()
    await clamd.start()
  }
})

test('the newest files are scanned first, and after them those that can be read', withClamd, async () => {
  const { backgroundDb: db, log, objects, virusScanner: scanner } = service.api.context
  const requested = await service.call('POST', '/api/files/scan')
  assert.equal(requested.status, 200)
  assert.ok(requested.body.data.versions > 0)
  const names = ['First.txt', 'Second.txt', 'Third.txt']
  for (const name of names) await service.upload(name, name)
  const { rows: before } = await sql<{ states: Record<string, number> }>`
    select scan_state, count(*)::int from file_versions group by scan_state order by scan_state`.execute(db)
  const order: string[] = []
  assert.ok(scanner)
  const scan = async (...[content, ...rest]: Parameters<typeof scanner.scan>) => {
    const bytes = Buffer.concat(await content.toArray())
    if (names.includes(bytes.toString())) order.push(bytes.toString())
    else order.push('other')
    const { Readable } = await import('node:stream')
    return scanner.scan(Readable.from([bytes]), ...rest)
  }
  const watched = Object.assign(Object.create(scanner), { scan, problem: () => undefined })
  await scanFiles({ db, log, objects, scanner: watched }, new AbortController().signal)
  assert.deepEqual(order.slice(0, 3), names.toReversed())
  assert.equal(order.length, requested.body.data.versions + 3)
  const { rows: afterward } = await sql`
    select scan_state, count(*)::int from file_versions group by scan_state order by scan_state`.execute(db)
  const count = (rows: unknown[], state: string) =>
    (rows as { scan_state: string; count: number }[]).find(({ scan_state }) => scan_state === state)?.count ??
    0
  assert.equal(count(afterward, 'infected'), count(before, 'infected'), 'they stay, and are not told again')
  assert.equal(count(afterward, 'pending'), 0)
})

test('only admins have all files scanned', withClamd, async () => {
  assert.equal((await service.call('POST', '/api/files/scan', PIA)).status, 403)
})

test('files from before the scanner stay readable until something is found in them', rarely, async () => {
  const { api } = service
  const { db } = api.context
  const [good, bad] = [
    await service.upload('Old.txt', 'old'),
    await service.upload('Old bad.txt', `4${EICAR}`),
  ]
  await sql`
    update file_versions set scan_state = 'off', text_state = 'done', pages = 1 where file_id in (${good.id}, ${bad.id})`.execute(
    db,
  )
  await service.scan()
  for (const { id } of [good, bad]) {
    assert.equal((await service.read(id)).scan_state, 'off', 'they are not scanned unless someone asks')
    assert.equal((await contentOf(id)).status, 200)
  }
  await sql`
    insert into file_pages (file_id, version, page, text) select id, 1, 1, 'quokka' from files
    where id in (${good.id}, ${bad.id})`.execute(db)
  const found = async () =>
    (await service.call('GET', '/api/files?search=quokka')).body.data.map(({ id }: Uploaded) => id)
  assert.deepEqual((await found()).sort(), [good.id, bad.id].sort())
  await service.call('POST', '/api/files/scan')
  assert.equal((await contentOf(good.id)).status, 200)
  await service.scan()
  assert.equal((await service.read(good.id)).scan_state, 'clean')
  assert.equal((await service.read(bad.id)).scan_state, 'infected')
  assert.deepEqual(await found(), [good.id])
  assert.equal((await service.call('GET', `/api/files/${bad.id}/text`)).status, 409)
  // A false alarm that the next signatures do not have any more.
  await sql`update file_versions set scan_state = 'infected' where file_id = ${good.id}`.execute(db)
  await service.call('POST', '/api/files/scan')
  assert.equal((await contentOf(good.id)).status, 409)
  await service.scan()
  assert.equal((await contentOf(good.id)).body, 'old')
})

test('two processes scan each version once', rarely, async (t) => {
  const pair = await twoServices({ CLAMAV_HOST: service.clamd.address })
  t.after(() => pair.close())
  await userWithRole(pair.one, ADA, 'admin')
  const company = (await pair.one.call('POST', '/api/companies', { name: 'Volta' })).body.data.id
  for (let index = 0; index < 30; index++)
    await upload(pair.one, company, `${index}.txt`, index % 3 ? `${index}` : EICAR + index)
  const { objects } = pair.one.context
  const scans: string[] = []
  await Promise.all(
    [pair.one, pair.other].map(({ context: { backgroundDb: db, log, virusScanner: scanner } }, process) => {
      assert.ok(scanner)
      const scan = (...content: Parameters<typeof scanner.scan>) => {
        scans.push(String(process))
        return scanner.scan(...content)
      }
      const watched = Object.assign(Object.create(scanner), { scan, problem: () => undefined })
      return scanFiles({ db, log, objects, scanner: watched }, new AbortController().signal)
    }),
  )
  assert.equal(scans.length, 30)
  const { rows } = await sql`
    select scan_state, count(*)::int from file_versions group by scan_state order by scan_state`.execute(
    pair.one.context.db,
  )
  assert.deepEqual(rows, [
    { scan_state: 'clean', count: 20 },
    { scan_state: 'infected', count: 10 },
  ])
})

test('without a scanner, files are readable at once, and those that waited become so at the start', async (t) => {
  const api = await testApp({ ENFORCE_ROLES: 'true' })
  t.after(() => api.close())
  await userWithRole(api, ADA, 'admin')
  const company = (await api.call('POST', '/api/companies', { name: 'Volta' })).body.data.id
  const files: Uploaded[] = []
  for (const name of ['Waiting', 'Infected', 'Clean', 'Off'])
    files.push(await upload(api, company, `${name}.txt`, name))
  const [waiting, infected, clean] = files
  assert.equal(waiting.scan_state, 'off')
  const { db } = api.context
  const set = (id: string, state: string) =>
    sql`update file_versions set scan_state = ${state}, scan_detail = 'x' where file_id = ${id}`.execute(db)
  await set(waiting.id, 'pending')
  await set(infected.id, 'infected')
  await set(clean.id, 'clean')
  const refused = await api.call('POST', '/api/files/scan')
  assert.equal(refused.status, 409)
  assert.match(refused.body.details, /CLAMAV_HOST/)
  const states = () =>
    Promise.all(files.map(async ({ id }) => (await api.call('GET', `/api/files/${id}`)).body.data.scan_state))
  const stop = startBackground(api.context, '', ['fileScans'])
  t.after(stop)
  await eventually(async () => assert.deepEqual(await states(), ['off', 'infected', 'clean', 'off']))
  assert.equal((await api.call('GET', `/api/files/${waiting.id}/content`)).status, 200)
  assert.equal((await api.call('GET', `/api/files/${infected.id}/content`)).status, 409)
  await set(waiting.id, 'pending')
  await new Promise((resolve) => setTimeout(resolve, 1500))
  assert.equal((await states())[0], 'pending', 'another process may have a scanner by then')
})

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { startBackground } from '#src/background.ts'
import { SHARED_HOSTS } from '#src/features/companies/website.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { eventually } from '#src/testing/eventually.ts'
import { slow } from '#src/testing/slow.ts'
import { closeWebsites, onThisMachine, page, running, status, website } from '#src/testing/website.fixture.ts'
import { createConverter } from './convert.ts'
import { createIconReader, type FetchIcon } from './fetch-icon.ts'
import { claimStaleLogos, logoFetcher } from './fetch-logos.ts'
import { BLUE, bitmapIco, png, sizeOf } from './images.fixture.ts'

let api: TestApp
before(async () => {
  api = await testApp()
})
after(async () => {
  await api.close()
  closeWebsites()
})

const readIcon = createIconReader(createConverter(), onThisMachine)

const fetcher = (fetchIcon: FetchIcon = readIcon) =>
  logoFetcher({
    db: api.context.backgroundDb,
    fetchIcon,
    sharedHosts: SHARED_HOSTS,
    log: api.context.log,
  })
const fetchLogos = (fetchIcon?: FetchIcon) => fetcher(fetchIcon)(running)

const siteWith = (icon: Buffer) => website({ '/': 'Volta', '/favicon.ico': page('image/x-icon', icon) })

async function createCompany(website: string | null, name = 'Volta'): Promise<string> {
  const { status, body } = await api.call('POST', '/api/companies', { name, website })
  assert.equal(status, 201, JSON.stringify(body))
  assert.equal('logo_url' in body.data, true)
  return body.data.id
}

const logoUrlOf = async (id: string): Promise<string | null> =>
  (await api.call('GET', `/api/companies/${id}`)).body.data.company.logo_url

async function readLogo(id: string): Promise<Buffer> {
  const answer = await api.app.inject({ url: (await logoUrlOf(id)) as string })
  assert.equal(answer.statusCode, 200)
  return answer.rawPayload
}

async function attempts(): Promise<Record<string, number>> {
  const { rows } = await sql<{
    origin: string
    failures: number
  }>`select origin, failures from logos`.execute(api.context.db)
  return Object.fromEntries(rows.map(({ origin, failures }) => [origin, failures]))
}

const makeDue = () => sql`update logos set due_at = now()`.execute(api.context.db)

test("a website's icon is the logo of its companies, everywhere that companies are listed", async () => {
  const site = await siteWith(png(128, 128))
  const [one, other] = [
    await createCompany(site.url, 'Logo One'),
    await createCompany(`${site.url}about?x=1`),
  ]
  const without = await createCompany(null)
  assert.equal(await logoUrlOf(one), null)
  await api.call('POST', '/api/dealflow', { company_id: one })
  await fetchLogos()
  const logo_url = (await logoUrlOf(one)) as string
  assert.match(logo_url, new RegExp(`^/api/companies/${one}/logo\\?v=[0-9a-f]{12}$`))
  assert.equal((await logoUrlOf(other))?.split('?')[1], logo_url.split('?')[1])
  assert.equal(await logoUrlOf(without), null)
  assert.deepEqual(sizeOf(await readLogo(one)), [64, 64])
  const ofOne = async (url: string) =>
    (await api.call('GET', url)).body.data.find(
      ({ id, company_id }: Record<string, string>) => id === one || company_id === one,
    )
  for (const url of ['/api/companies?search=logo one', '/api/companies', '/api/search?q=Logo One'])
    assert.equal((await ofOne(url)).logo_url, logo_url, url)
  assert.equal((await ofOne('/api/dealflow')).company_logo_url, logo_url)
  assert.deepEqual(
    site.requests.filter((path) => path === '/'),
    ['/'],
    'two companies of a website cause one visit',
  )
})

test('a logo has caching headers', async () => {
  const id = await createCompany((await siteWith(bitmapIco())).url)
  await fetchLogos()
  const url = (await logoUrlOf(id)) as string
  const get = (path: string, headers = {}) => api.app.inject({ url: path, headers })
  const { headers } = await get(url)
  assert.equal(headers['content-type'], 'image/png')
  assert.equal(headers['cache-control'], 'private, max-age=604800')
  assert.match(String(headers.etag), /^"[0-9a-f]{12}"$/)
  const current = await get(url, { 'if-none-match': headers.etag, 'cache-control': 'no-cache' })
  assert.deepEqual([current.statusCode, current.rawPayload.length], [304, 0])
  assert.equal((await get(url, { 'if-none-match': '"other"' })).statusCode, 200)
  for (const path of [`/api/companies/${id}/logo`, `/api/companies/${id}/logo?v=former`])
    assert.equal((await get(path)).headers['cache-control'], 'private, no-cache')
  assert.equal((await api.app.inject({ method: 'HEAD', url })).statusCode, 200)
})

test('a company without a logo, and none at all, is a 404', async () => {
  const id = await createCompany((await website({ '/': 'Volta' })).url)
  await fetchLogos()
  assert.equal(await logoUrlOf(id), null)
  const { status, body } = await api.call('GET', `/api/companies/${id}/logo`)
  assert.deepEqual([status, body.details], [404, `The company ${id} has no logo.`])
  assert.equal((await api.call('GET', '/api/companies/cmp_none/logo')).status, 404)
})

test('another website brings another logo, and logo_url cannot be written', async () => {
  const [red, blue] = [await siteWith(png(8, 8)), await siteWith(png(8, 8, BLUE))]
  const id = await createCompany(red.url)
  const run = fetcher()
  await run(running)
  const previous = await readLogo(id)
  await api.call('PATCH', `/api/companies/${id}`, { website: blue.url })
  assert.equal(await logoUrlOf(id), null)
  await run(running)
  const logo_url = await logoUrlOf(id)
  assert.ok(!(await readLogo(id)).equals(previous))
  const patch = (value: unknown) => api.call('PATCH', `/api/companies/${id}`, { logo_url: value })
  // Whole records are sent back that were read before the logo was fetched.
  for (const sent of [logo_url, null, 'https://volta.com/logo.png'])
    assert.equal((await patch(sent)).status, 200, `${sent}`)
  assert.equal(await logoUrlOf(id), logo_url)
})

test('a failure is remembered, and keeps the previous logo', { skip: slow }, async () => {
  let isUp = false
  const site = await website({
    '/': (response) => {
      if (isUp) page('text/html', 'Volta')(response, response.req)
      else status(503)(response, response.req)
    },
    '/favicon.ico': (response) => {
      if (isUp) page('image/png', png(8, 8))(response, response.req)
      else status(503)(response, response.req)
    },
  })
  const id = await createCompany(site.url)
  const { origin } = new URL(site.url)
  await fetchLogos()
  await fetchLogos()
  assert.equal((await attempts())[origin], 1, 'it was not tried again yet')
  await makeDue()
  await fetchLogos()
  assert.equal((await attempts())[origin], 2)
  isUp = true
  await makeDue()
  await fetchLogos()
  assert.equal((await attempts())[origin], 0)
  const logo = await readLogo(id)
  isUp = false
  await makeDue()
  await fetchLogos()
  assert.ok((await readLogo(id)).equals(logo))
})

test('several processes fetch a website once', { skip: slow }, async () => {
  const sites = await Promise.all(Array.from({ length: 12 }, () => siteWith(png(4, 4))))
  for (const { url } of sites) await createCompany(url)
  const visited: string[] = []
  const fetchIcon: FetchIcon = async (origin, stopped) => {
    visited.push(origin)
    return readIcon(origin, stopped)
  }
  await Promise.all([fetchLogos(fetchIcon), fetchLogos(fetchIcon), fetchLogos(fetchIcon)])
  assert.deepEqual(visited.toSorted(), sites.map(({ url }) => new URL(url).origin).toSorted())
})

test('a process that was killed leaves its websites to later attempts', { skip: slow }, async () => {
  const site = await siteWith(png(4, 4))
  const id = await createCompany(site.url)
  // Finds the website. The claim is the last thing that the process does.
  await fetchLogos(async () => {
    throw new Error('killed')
  })
  await makeDue()
  assert.ok((await claimStaleLogos(api.context.db, 1000)).includes(new URL(site.url).origin))
  await fetchLogos()
  assert.equal(await logoUrlOf(id), null)
  await makeDue()
  await fetchLogos()
  assert.notEqual(await logoUrlOf(id), null)
})

test('when the process stops, the websites at hand count as not tried', async () => {
  const site = await website({ '/': () => {} })
  await createCompany(site.url)
  const stop = new AbortController()
  const stopping = fetcher()(stop.signal)
  await eventually(() => assert.notEqual(site.requests.length, 0))
  stop.abort()
  await stopping
  const { rows } = await sql<{ failures: number; isDue: boolean }>`
    select failures, due_at <= clock_timestamp() as "isDue" from logos where origin = ${new URL(site.url).origin}`.execute(
    api.context.db,
  )
  assert.deepEqual(rows, [{ failures: 0, isDue: true }])
  await sql`update logos set due_at = now() + interval '1 day'`.execute(api.context.db)
})

test('websites where many companies have a page are left alone, and so are invalid addresses', async () => {
  for (const address of [
    ...[
      'https://www.linkedin.com/company/volta',
      'https://FR.LinkedIn.com/company/volta',
      'http://x.com:80/volta',
    ],
    ...['https://user:password@volta-a.com/', `https://${'a'.repeat(400)}.com/`],
  ])
    await createCompany(address)
  await createCompany('HTTPS://Volta-B.com./?q=1')
  await createCompany('https://netflix.com')
  const tried: string[] = []
  await fetchLogos(async (origin) => {
    tried.push(origin)
    return null
  })
  assert.deepEqual(tried.toSorted(), ['https://netflix.com', 'https://volta-b.com.'])
})

test('a deleted company has no logo until it is restored, a merged one that of the other', async () => {
  const site = await siteWith(png(4, 4))
  const [id, other] = [await createCompany(site.url), await createCompany(null)]
  const run = fetcher()
  await run(running)
  const { origin } = new URL(site.url)
  assert.equal((await api.call('DELETE', `/api/companies/${id}`)).status, 204)
  assert.equal((await api.call('GET', `/api/companies/${id}/logo`)).status, 404)
  await fetchLogos()
  assert.equal((await attempts())[origin], undefined)
  await api.call('POST', `/api/trash/${id}/restore`)
  await run(running)
  assert.notEqual(await logoUrlOf(id), null)
  await fetchLogos()
  assert.equal((await attempts())[origin], 0)
  const merged = await api.call('POST', `/api/companies/${other}/merge`, { from: [id] })
  assert.equal(merged.status, 200, JSON.stringify(merged.body))
  assert.notEqual(merged.body.data.company.logo_url, null)
  assert.equal((await api.call('GET', `/api/companies/${id}/logo`)).status, 301)
})

test('nothing is fetched unless it is turned on, and turning it off removes the logos', async () => {
  const site = await siteWith(png(4, 4))
  const id = await createCompany(site.url)
  assert.equal(api.config.logos, 'off')
  await fetchLogos()
  assert.notEqual(await logoUrlOf(id), null)
  const visits = site.requests.length
  const stop = startBackground(api.context, '', ['logos'])
  await eventually(async () => assert.equal(await logoUrlOf(id), null))
  await stop()
  assert.equal(site.requests.length, visits)
})

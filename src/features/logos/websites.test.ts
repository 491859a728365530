import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { SHARED_HOSTS } from '#src/features/companies/website.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { running } from '#src/testing/website.fixture.ts'
import type { FetchIcon } from './fetch-icon.ts'
import { logoFetcher } from './fetch-logos.ts'

let api: TestApp
before(async () => {
  api = await testApp()
})
after(() => api.close())

const fetcher = (fetchIcon: FetchIcon, batchSize = 2000) =>
  logoFetcher({
    db: api.context.backgroundDb,
    fetchIcon,
    sharedHosts: SHARED_HOSTS,
    log: api.context.log,
    batchSize,
  })

async function createCompany(website: string): Promise<string> {
  const { status, body } = await api.call('POST', '/api/companies', { name: website, website })
  assert.equal(status, 201, JSON.stringify(body))
  return body.data.id
}

/** Fetches without visiting anything. Returns the origins in the order of their attempts. */
async function triedBy(run: (fetchIcon: FetchIcon) => Promise<void>): Promise<string[]> {
  const tried: string[] = []
  await run(async (origin) => {
    tried.push(origin)
    return null
  })
  return tried
}

test('new websites do not wait for those that were tried before', async () => {
  for (let n = 0; n < 10; n++) await createCompany(`https://former-${n}.com`)
  await triedBy((note) => fetcher(note)(running))
  await sql`update logos set due_at = now()`.execute(api.context.db)
  await createCompany('https://new-1.com')
  let isFirst = true
  const tried = await triedBy((note) =>
    fetcher(async (origin, stopped) => {
      if (isFirst) await createCompany('https://new-2.com')
      isFirst = false
      return note(origin, stopped)
    })(running),
  )
  const [one, two] = ['https://new-1.com', 'https://new-2.com'].map((origin) => tried.indexOf(origin))
  assert.ok(one !== undefined && one >= 0 && one < 4, tried.join())
  assert.ok(two !== undefined && two >= 4 && two < 8, tried.join())
})

test('new websites do not wait for those of a large import that were not tried either', async () => {
  const imported = Array.from({ length: 12 }, (_value, n) => `https://a-${n}.com`)
  for (const website of imported) await createCompany(website)
  let isFirst = true
  const tried = await triedBy((note) =>
    fetcher(async (origin, stopped) => {
      if (isFirst) await createCompany('https://z-new.com')
      isFirst = false
      return note(origin, stopped)
    })(running),
  )
  assert.equal(tried.filter((origin) => imported.includes(origin)).length, imported.length)
  const position = tried.indexOf('https://z-new.com')
  assert.ok(position >= 4 && position < 8, tried.join())
})

test('all companies are looked through in batches, and websites that none of them has are removed', async () => {
  const ids = []
  for (let n = 0; n < 5; n++) ids.push(await createCompany(`https://batch-${n}.com`))
  await triedBy((note) => fetcher(note, 2)(running))
  const batches = async () => {
    const { rows } = await sql<{ origin: string }>`
      select origin from logos where origin like 'https://batch-%' order by origin`.execute(api.context.db)
    return rows.map(({ origin }) => origin)
  }
  assert.equal((await batches()).length, 5)
  for (const id of ids.slice(1)) await api.call('PATCH', `/api/companies/${id}`, { website: null })
  await triedBy((note) => fetcher(note, 2)(running))
  assert.deepEqual(await batches(), ['https://batch-0.com'])
})

test('the websites of a large import are found without another look through all companies', async () => {
  const tried: string[] = []
  const run = fetcher(async (origin) => {
    tried.push(origin)
    return null
  })
  await run(running)
  const { db } = api.context
  await sql`
    insert into companies (id, name, status, website, created_at, updated_at)
    select 'cmp_large_' || n, 'Large ' || n, 'active', 'https://large-' || n || '.com', now(), now()
    from generate_series(1, 100) n`.execute(db)
  await sql`update companies set website = website || '/about' where id like 'cmp_large_%'`.execute(db)
  await run(running)
  assert.equal(tried.filter((origin) => origin.startsWith('https://large-')).length, 100)
  const { rows } = await sql`select from website_changes`.execute(db)
  assert.equal(rows.length, 0)
})

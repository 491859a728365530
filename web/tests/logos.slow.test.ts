/// <reference lib="dom" />
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { SHARED_HOSTS } from '#src/features/companies/website.ts'
import { createConverter } from '#src/features/logos/convert.ts'
import { createIconReader } from '#src/features/logos/fetch-icon.ts'
import { logoFetcher } from '#src/features/logos/fetch-logos.ts'
import { bitmapIco } from '#src/features/logos/images.fixture.ts'
import { builtWebApp } from '#src/platform/http/web-app.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { freePort } from '#src/testing/free-port.ts'
import {
  page as answer,
  closeWebsites,
  onThisMachine,
  running,
  website,
} from '#src/testing/website.fixture.ts'
import { hasFocus, openPage, requestsEnded, skip, withBrowser } from './browser.ts'
import { buildWebApp } from './demo.ts'

let api: TestApp
let url: string
before(async () => {
  if (skip) return
  buildWebApp()
  const port = await freePort()
  url = `http://localhost:${port}`
  api = await testApp({ PUBLIC_URL: url }, { webFolder: builtWebApp() })
  await api.app.listen({ port, host: 'localhost' })
})
withBrowser()
after(async () => {
  await api?.close()
  closeWebsites()
})

const create = async (body: object): Promise<string> =>
  (await api.call('POST', '/api/companies', body)).body.data.id

/** Fetches the logos of the companies whose websites have not been visited. */
const fetchLogos = () =>
  logoFetcher({
    db: api.context.backgroundDb,
    fetchIcon: createIconReader(createConverter(), onThisMachine),
    sharedHosts: SHARED_HOSTS,
    log: api.context.log,
  })(running)

const withIcon = () => website({ '/': 'A company', '/favicon.ico': answer('image/x-icon', bitmapIco()) })

/** Waits for the image, and returns its edge on the screen. */
async function shownEdge(image: Locator): Promise<number> {
  await image.waitFor()
  await image.evaluate((element) => (element as HTMLImageElement).decode())
  const box = await image.boundingBox()
  assert.equal(box?.width, box?.height)
  return box?.width ?? 0
}

/** The logo in front of the title of a page. */
const titleLogo = (page: Page) =>
  page
    .locator('main :has(> img)')
    .filter({ has: page.getByRole('heading', { level: 1 }) })
    .locator('> img')

test('logos are shown on the list, a company, the board, and in the palette; others have a monogram', {
  skip,
}, async () => {
  const id = await create({ name: 'Volta Energy', website: (await withIcon()).url })
  const without = await create({ name: 'Wool Works' })
  for (const company_id of [id, without]) await api.call('POST', '/api/dealflow', { company_id })
  const { page, check, close } = await openPage()
  const requested: string[] = []
  page.on('request', (request) => requested.push(new URL(request.url()).pathname))
  const row = (name: string) => page.locator('a[data-record]', { hasText: name })
  await page.goto(`${url}/companies`)
  await row('Wool Works').waitFor()
  const before = await page.locator('tbody tr').first().boundingBox()
  assert.equal(await page.locator('tbody img').count(), 0)

  await fetchLogos()
  await page.reload()
  assert.equal(await shownEdge(row('Volta Energy').locator('img')), 18)
  assert.equal(await row('Wool Works').locator('img').count(), 0)
  assert.equal((await page.locator('tbody tr').first().boundingBox())?.height, before?.height)
  await page.getByRole('searchbox', { name: 'Search companies' }).fill('wool')
  await row('Volta Energy').waitFor({ state: 'detached' })
  // Names do not move on a page without logos.
  await row('Wool Works').getByText('W', { exact: true }).waitFor()

  await page.goto(`${url}/companies/${id}`)
  assert.equal(await shownEdge(titleLogo(page)), 44)
  await page.goto(`${url}/pipeline`)
  const card = (name: string) => page.locator('article', { hasText: name })
  assert.equal(await shownEdge(card('Volta Energy').locator('img')), 20)
  assert.equal(await card('Wool Works').locator('img').count(), 0)
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog', { name: 'Command palette' }).getByRole('combobox').fill('volta')
  assert.equal(
    await shownEdge(
      page
        .getByRole('option', { name: /Volta Energy/ })
        .locator('img')
        .first(),
    ),
    20,
  )
  await requestsEnded(page)
  assert.deepEqual(
    [...new Set(requested.filter((address) => address.endsWith('/logo')))],
    [`/api/companies/${id}/logo`],
    'companies without a logo cause no request',
  )
  check()
  await close()
})

test('a name that is edited keeps the focus when the logo arrives', { skip }, async () => {
  const id = await create({ name: 'Tidal Power', website: (await withIcon()).url })
  const { page, check, close } = await openPage()
  await page.goto(`${url}/companies/${id}`)
  await page.getByRole('button', { name: /^Edit Name/i }).click()
  const name = page.getByRole('textbox', { name: 'Name', exact: true })
  await name.fill('Tidal Power Group')
  await fetchLogos()
  // Another change makes the page read the company again.
  await api.call('PATCH', `/api/companies/${id}`, { hq_city: 'Bergen' })
  await shownEdge(titleLogo(page))
  await hasFocus(name)
  assert.equal(await name.inputValue(), 'Tidal Power Group')
  const [heading, input] = [await page.locator('h1').boundingBox(), await name.boundingBox()]
  assert.ok(heading && input && input.width > heading.width - 60, 'the input takes the rest of the line')
  check()
  await close()
})

test('a monogram replaces a logo that cannot be loaded', { skip }, async () => {
  await create({ name: 'Solar Works', website: (await withIcon()).url })
  await fetchLogos()
  const { page, close } = await openPage()
  await page.route('**/logo?*', (route) => route.fulfill({ status: 404 }))
  await page.goto(`${url}/companies`)
  const link = page.locator('a[data-record]', { hasText: 'Solar Works' })
  await link.getByText('S', { exact: true }).waitFor()
  assert.equal(await link.locator('img').count(), 0)
  await close()
})

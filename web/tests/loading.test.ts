/// <reference lib="dom" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from '#src/testing/eventually.ts'
import { hasFocus, openPage, requestsEnded, skip } from './browser.ts'
import { withDemo } from './demo.ts'
import { hold } from './hold.ts'

const demo = withDemo()

const FILTER_CODE = '**/filter-popover-*.js'

/** Opens the list of companies with the focus on the first. */
async function openList(page: Page): Promise<string> {
  await page.goto(`${demo.url}/companies?sort=name`)
  const first = page.locator('tbody tr').first().locator('a[data-company]')
  await hasFocus(first)
  return first.innerText()
}

test('a mark is shown until the app is loaded, in both color schemes', { skip }, async () => {
  for (const [colorScheme, background] of [
    ['light', 'rgb(255, 255, 255)'],
    ['dark', 'rgb(26, 27, 31)'],
  ] as const) {
    const { page, check, close } = await openPage({ colorScheme })
    const releaseApp = await hold(page, '**/assets/index-*.js')
    const releaseStyles = await hold(page, '**/assets/index-*.css')
    await page.goto(`${demo.url}/home`, { waitUntil: 'commit' })
    const mark = page.locator('.starting')
    await mark.waitFor()
    assert.equal(await mark.evaluate((element) => getComputedStyle(element).backgroundColor), background)
    releaseApp()
    // The app waits for the styles.
    await page.waitForFunction(() => document.querySelector<HTMLLinkElement>('link[rel=stylesheet]')?.onload)
    assert.equal(await page.locator('#root').innerHTML(), '')
    releaseStyles()
    await page.locator('main h1').waitFor()
    assert.equal(await mark.isVisible(), false)
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), background)
    check()
    await close()
  }
})

test('a page gives all its scripts a low priority', { skip }, async () => {
  for (const screen of ['/', '/home', '/companies', '/companies/cmp_1', '/pipeline']) {
    const answer = await fetch(demo.url + screen, { headers: { accept: 'text/html' } })
    const scripts = (await answer.text()).match(/<(?:script type="module"|link rel="modulepreload")[^>]*>/g)
    assert.ok(scripts && scripts.length >= 4, screen)
    for (const script of scripts) assert.match(script, / fetchpriority="low" /)
  }
})

test('keys change a company while its list is refetched after Back', { skip }, async () => {
  const { page, check, close } = await openPage()
  const name = await openList(page)
  await requestsEnded(page)
  await page.keyboard.press('Enter')
  await page.locator('main h1').getByText(name, { exact: true }).waitFor()
  await requestsEnded(page)
  const release = await hold(page, /\/api\/companies\?/)
  await page.goBack()
  await hasFocus(page.locator('tbody tr').first().locator('a[data-company]'))
  await page.keyboard.press('s')
  await page.getByRole('dialog', { name: `Change status of ${name}` }).waitFor()
  release()
  check()
  await close()
})

test('keys pressed while filters load have no other effect, and Escape cancels loading', {
  skip,
}, async () => {
  const { page, check, close } = await openPage()
  const release = await hold(page, FILTER_CODE)
  await openList(page)
  await page.keyboard.press('f')
  const button = page.getByRole('button', { name: 'Filter', exact: true })
  await button.and(page.locator('[aria-busy=true]')).waitFor()
  await page.keyboard.type('stage')
  await page.keyboard.press('Escape')
  await button.and(page.locator('[aria-expanded=false]')).waitFor()
  release()
  await requestsEnded(page)
  assert.equal(await page.getByRole('dialog').count(), 0)
  await page.keyboard.press('f')
  await hasFocus(page.getByRole('dialog', { name: 'Filter' }).getByRole('combobox', { name: 'Field' }))
  check()
  await close()
})

test('filters that cannot be loaded open when the service is back', { skip }, async () => {
  const { page, close } = await openPage()
  let isDown = true
  const refused: string[] = []
  for (const address of [FILTER_CODE, '**/healthz'])
    await page.route(address, (route) => {
      if (!isDown) return route.continue()
      refused.push(route.request().url())
      return route.abort()
    })
  await openList(page)
  await page.keyboard.press('f')
  await eventually(() => assert.ok(refused.some((url) => url.endsWith('/healthz'))))
  assert.equal(await page.getByRole('dialog').count(), 0)
  isDown = false
  await hasFocus(page.getByRole('dialog', { name: 'Filter' }).getByRole('combobox', { name: 'Field' }))
  await close()
})

test('filters that were closed before loading failed show no error', { skip }, async () => {
  const { page, close } = await openPage()
  let requests = 0
  await page.route(FILTER_CODE, (route) => {
    requests++
    return route.fulfill({ status: 404, body: '' })
  })
  const release = await hold(page, '**/healthz')
  await openList(page)
  await page.keyboard.press('f')
  const button = page.getByRole('button', { name: 'Filter', exact: true })
  await button.and(page.locator('[aria-busy=true]')).waitFor()
  await page.keyboard.press('Escape')
  await button.and(page.locator('[aria-expanded=false]')).waitFor()
  release()
  await requestsEnded(page)
  assert.ok(requests > 0)
  const notice = page.getByText('The service is unreachable or was updated. Reload the page.')
  assert.equal(await notice.count(), 0)
  await page.keyboard.press('f')
  await notice.waitFor()
  assert.equal(await notice.count(), 1)
  await close()
})

test('on a phone, the panels below the first screen are loaded when they are scrolled into view', {
  skip,
}, async () => {
  const { page, check, close } = await openPage({ viewport: { width: 360, height: 640 } })
  let requests = 0
  page.on('request', (request) => {
    if (/\/api\/activity\?/.test(request.url())) requests += 1
  })
  await page.goto(`${demo.url}/home`)
  const panel = page.getByRole('region', { name: 'Recent activity' })
  await panel.waitFor()
  await requestsEnded(page)
  assert.equal(requests, 0)
  await panel.scrollIntoViewIfNeeded()
  await panel.getByRole('listitem').first().waitFor()
  check()
  await close()
})

test('panels that were printed before being scrolled into view are loaded when they are in view', {
  skip,
}, async () => {
  const { page, check, close } = await openPage({ viewport: { width: 360, height: 640 } })
  await page.goto(`${demo.url}/home`)
  const panel = page.getByRole('region', { name: 'Recent activity' })
  await panel.waitFor()
  await requestsEnded(page)
  await page.emulateMedia({ media: 'print' })
  await panel.getByRole('listitem').first().waitFor()
  await page.emulateMedia({ media: 'screen' })
  await panel.getByRole('listitem').first().waitFor({ state: 'detached' })
  await panel.scrollIntoViewIfNeeded()
  await panel.getByRole('listitem').first().waitFor()
  check()
  await close()
})

/** Records the requests that a page sends to the API, by path and query. */
function apiRequests(page: Page): string[] {
  const requests: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith('/api/')) requests.push(pathname + search)
  })
  return requests
}

/** On a slow machine, the answers would be too old for the app. */
const keepEarlyAnswers = (page: Page) =>
  page.addInitScript(() => {
    const now = performance.now.bind(performance)
    performance.now = () => now() / 50
  })

const LIST = '/api/companies?limit=50&offset=0'

test('a page requests the data of its screen while the app loads, and the screen does not request it again', {
  skip,
}, async () => {
  const [company, thesis] = await Promise.all([
    demo.api.listCompanies({ querystring: { limit: 1 } }),
    demo.api.listTheses({ querystring: { limit: 1 } }),
  ])
  const [ofCompany, ofThesis] = [`/companies/${company.data[0]?.id}`, `/theses/${thesis.data[0]?.id}`]
  for (const [address, first] of [
    ['/home', '/api/stats'],
    ['/companies', LIST],
    [ofCompany, `/api${ofCompany}`],
    ['/pipeline', '/api/dealflow/stages?limit=50'],
    ['/theses', '/api/theses'],
    [ofThesis, `/api${ofThesis}`],
  ] as const) {
    const { page, check, close } = await openPage()
    await keepEarlyAnswers(page)
    const requests = apiRequests(page)
    const release = await hold(page, '**/assets/index-*.js')
    await page.goto(demo.url + address, { waitUntil: 'commit' })
    await eventually(() =>
      assert.ok(
        ['/api/auth/me', first].every((one) => requests.includes(one)),
        String(requests),
      ),
    )
    release()
    await page.locator('main h1').waitFor()
    await requestsEnded(page)
    assert.deepEqual(
      requests.filter((one, index) => requests.indexOf(one) !== index),
      [],
      address,
    )
    assert.equal(await page.evaluate(() => window.earlyAnswers?.size), 0, address)
    check()
    await close()
  }
})

test('the first screen appears with its data if that has arrived, and without it if that takes long', {
  skip,
}, async () => {
  const { data } = await demo.api.listCompanies({ querystring: { limit: 1 } })
  for (const [address, request, kind] of [
    ['/companies', LIST, 'companies'],
    [`/companies/${data[0]?.id}`, `/api/companies/${data[0]?.id}`, 'company'],
    ['/pipeline', '/api/dealflow/stages?limit=50', 'deals'],
  ] as const)
    for (const isSlow of [false, true]) {
      const { page, check, close } = await openPage()
      await keepEarlyAnswers(page)
      await page.addInitScript(() => {
        new MutationObserver(() => {
          const shown = document.querySelector<HTMLElement>('[data-skeleton]')?.dataset.skeleton
          if (shown) document.documentElement.dataset.hadSkeleton = shown
        }).observe(document, { childList: true, subtree: true })
      })
      const answered: string[] = []
      page.on('response', (response) => answered.push(response.url().replace(demo.url, '')))
      const requests = apiRequests(page)
      const releaseApp = await hold(page, '**/assets/index-*.js')
      const releaseData = isSlow && (await hold(page, `**${request}`))
      await page.goto(demo.url + address, { waitUntil: 'commit' })
      await eventually(() => {
        assert.ok(requests.includes(request), String(requests))
        const waiting = requests.filter((one) => !answered.includes(one))
        assert.deepEqual(waiting, isSlow ? [request] : [])
      })
      releaseApp()
      if (releaseData) {
        await page.locator(`[data-skeleton=${kind}]`).waitFor()
        releaseData()
      }
      await page.locator('main [data-company], main [role=tab], main [data-deal]').first().waitFor()
      const had = await page.locator('html').getAttribute('data-had-skeleton')
      if (!isSlow) assert.equal(had, null, address)
      check()
      await close()
    }
})

test('the first screen waits only for data that it shows, and requests a missing record once', {
  skip,
}, async () => {
  const { data: view } = await demo.api.createView({
    body: { entity: 'company', name: 'First', sort: [{ field: 'name', direction: 'asc' }] },
  })
  await demo.api.setDefaultView({ body: { entity: 'company', view_id: view.id } })
  const withView = await openPage()
  await keepEarlyAnswers(withView.page)
  const requests = apiRequests(withView.page)
  const release = await hold(withView.page, `**${LIST}`)
  await withView.page.goto(`${demo.url}/companies`)
  await withView.page.locator('a[data-company]').first().waitFor()
  release()
  assert.equal(requests.filter((one) => one === LIST).length, 1)
  // Nothing has taken its early response.
  assert.equal(await withView.page.evaluate((list) => window.earlyAnswers?.has(list), LIST), true)
  await withView.close()
  await demo.api.deleteView({ params: { id: view.id } })

  const missing = await openPage()
  const requested = apiRequests(missing.page)
  await missing.page.goto(`${demo.url}/companies/cmp_none`)
  await missing.page.getByText('Company not found').waitFor()
  assert.equal(requested.filter((one) => one === '/api/companies/cmp_none').length, 1)
  await missing.close()
})

test('early responses that are too old, or failed, are requested again', { skip }, async () => {
  const old = await openPage()
  await old.page.addInitScript(() => {
    const now = performance.now.bind(performance)
    performance.now = () => now() + 4000
  })
  const requests = apiRequests(old.page)
  await old.page.goto(`${demo.url}/companies`)
  await old.page.locator('a[data-company]').first().waitFor()
  assert.equal(requests.filter((one) => one === LIST).length, 2)
  await old.close()

  const failed = await openPage()
  await failed.page.route(/\/api\/(auth\/me|companies\?)/, (route) => route.abort(), { times: 2 })
  await failed.page.goto(`${demo.url}/companies`)
  await failed.page.locator('a[data-company]').first().waitFor()
  await failed.close()
})

test('a page does not request a list that its address does not show', { skip }, async () => {
  for (const address of ['/companies?sort=name', '/companies/import', '/settings']) {
    const { page, check, close } = await openPage()
    const requests = apiRequests(page)
    await page.goto(demo.url + address)
    await page.locator('main h1').waitFor()
    await requestsEnded(page)
    assert.ok(!requests.includes(LIST) && !requests.includes('/api/companies/import'), String(requests))
    check()
    await close()
  }
})

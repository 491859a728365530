/// <reference lib="dom" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Route } from 'playwright-core'
import { eventually } from '#src/testing/eventually.ts'
import { slow } from '#src/testing/slow.ts'
import { hasFocus, openPage, requestsEnded, skip } from './browser.ts'
import { untilFocused, untilOpen } from './company-rows.ts'
import { withDemo } from './demo.ts'
import { hold } from './hold.ts'
import { limitOnce } from './rate-limit.ts'

const demo = withDemo()

const idsOf = async (query: object) =>
  (await demo.api.listCompanies({ querystring: { limit: 50, ...query } })).data.map(({ id }) => id)

test('fifty companies are triaged with two keys each, and the latest change is undone', {
  skip: skip || slow,
}, async () => {
  const ids = await idsOf({ sort: 'name' })
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/companies?sort=name`)
  await untilFocused(page, ids[0])
  await requestsEnded(page)
  let keys = 0
  for (const id of ids) {
    await untilFocused(page, id)
    for (const key of ['s', '2']) {
      await page.keyboard.press(key)
      keys++
    }
  }
  assert.equal(keys, 2 * 50)
  const statuses = async () =>
    new Set(
      (await demo.api.listCompanies({ querystring: { sort: 'name', limit: 50 } })).data.map(
        ({ status }) => status,
      ),
    )
  await eventually(async () => assert.equal((await statuses()).size, 1))
  await page.keyboard.press('z')
  await page
    .getByText(/undone\./i)
    .first()
    .waitFor()
  check()
  await close()
})

test('the keys survive search, paging, a visit to a company, and Back', { skip: skip || slow }, async () => {
  const ids = await idsOf({ sort: 'name', limit: 101 })
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/companies?sort=name`)
  await untilFocused(page, ids[0])
  for (const key of ['j', 'j', 'k']) await page.keyboard.press(key)
  await untilFocused(page, ids[1])
  await page.keyboard.press('n')
  await untilFocused(page, ids[50])
  await page.keyboard.press('k')
  await untilFocused(page, ids[49])
  await page.keyboard.press('Enter')
  await untilOpen(demo, page, ids[49])
  for (const key of ['J', 'J']) await page.keyboard.press(key)
  await untilOpen(demo, page, ids[51])
  for (const key of ['J', 'J', 'J']) await page.keyboard.press(key)
  await untilOpen(demo, page, ids[54])
  for (const key of ['K', 'K', 'K', 'K']) await page.keyboard.press(key)
  await untilOpen(demo, page, ids[50])
  await page.keyboard.press('Escape')
  await page.waitForURL(/companies\?.*page=2/)
  await untilFocused(page, ids[50])
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/companies/${ids[50]}`)
  await page.goBack()
  await untilFocused(page, ids[50])
  await page.keyboard.press('/')
  await page.keyboard.type('robot')
  await page.waitForURL(/q=robot/)
  await page.locator('tbody mark').first().waitFor()
  // Rows that match the first letters may come before.
  await requestsEnded(page)
  await page.keyboard.press('ArrowDown')
  await untilFocused(page, (await idsOf({ sort: 'name', search: 'robot' }))[0])
  check()
  await close()
})

test('keys pressed while another page of the list loads count one by one, and a failure to load it is announced', {
  skip: skip || slow,
}, async () => {
  const ids = await idsOf({ sort: 'name', limit: 51 })
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/companies?sort=name&page=2`)
  await untilFocused(page, ids[50])
  await requestsEnded(page)
  await page.keyboard.press('Enter')
  await untilOpen(demo, page, ids[50])
  await requestsEnded(page)
  const held: Route[] = []
  let isHeld = true
  await page.route(/\/api\/companies\?/, async (route) => {
    if (isHeld) held.push(route)
    else await route.continue()
  })
  const answered = async (answer: (route: Route) => Promise<void>) => {
    await eventually(() => assert.notEqual(held.length, 0))
    for (const route of held.splice(0)) await answer(route)
  }
  await page.keyboard.press('K')
  await answered((route) =>
    route.fulfill({ status: 400, json: { error: 'Bad Request', details: 'Refused by the test.' } }),
  )
  await page.getByText('Refused by the test.').waitFor()
  for (const key of ['K', 'K']) await page.keyboard.press(key)
  await eventually(() => assert.notEqual(held.length, 0))
  // More than one page may be loaded.
  isHeld = false
  await answered((route) => route.continue())
  await untilOpen(demo, page, ids[48])
  check()
  await close()
})

test('keys change a company on its page, are not shortcuts while typing, and can be turned off', {
  skip,
}, async () => {
  const [id = ''] = await idsOf({ sort: '-name' })
  const { name } = (await demo.api.getCompany({ params: { id } })).data.company
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/companies/${id}`)
  await page.locator('main h1').waitFor()
  await requestsEnded(page)
  await page.keyboard.press('o')
  const owners = page.getByRole('dialog', { name: `Assign owner to ${name}` })
  await owners.getByRole('option', { name: /Me \(/ }).waitFor()
  await page.keyboard.press('1')
  // A name such as Polar B.V. ends the sentence.
  await page.getByText(`Updated owner for ${name.replace(/\.$/, '')}.`).waitFor()
  assert.equal((await demo.api.getCompany({ params: { id } })).data.company.owner_email, 'ada@example.com')
  await page.reload()
  await page.locator('main h1').waitFor()
  await requestsEnded(page)
  await page.keyboard.press('z')
  await page.getByText('Change undone.').waitFor()
  assert.equal((await demo.api.getCompany({ params: { id } })).data.company.owner_email, null)

  await page.keyboard.press('#')
  await hasFocus(page.getByRole('dialog', { name: /^Tags of/ }).getByRole('combobox', { name: 'Tags' }))
  await demo.api.updateCompanies({ body: { ids: [id], changes: { add_tags: ['added by someone else'] } } })
  await page.keyboard.type('typed')
  await page.keyboard.press('Control+Enter')
  await eventually(async () => {
    const { tags } = (await demo.api.getCompany({ params: { id } })).data.company
    assert.ok(tags.includes('typed') && tags.includes('added by someone else'))
  })
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.keyboard.press('c')
  const newName = page.getByRole('dialog', { name: 'New company' }).getByRole('textbox', { name: 'Name' })
  await newName.pressSequentially('gh zebra?')
  assert.equal(await newName.inputValue(), 'gh zebra?')
  await page.getByRole('button', { name: 'Discard' }).click()
  await newName.waitFor({ state: 'detached' })

  await page.keyboard.press('?')
  await page.getByRole('switch', { name: 'Single-key shortcuts' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.keyboard.press('c')
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog', { name: 'Command palette' }).waitFor()
  assert.equal(await page.getByRole('dialog').count(), 1)
  check()
  await close()
})

test('Escape closes a dialog that has lost the focus, and does not leave the company below it', {
  skip: skip || slow,
}, async () => {
  const [id] = await idsOf({})
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/companies/${id}`)
  await requestsEnded(page)
  const dialog = page.getByRole('dialog', { name: 'Delete' })
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete company' }).click()
  await dialog.waitFor()
  // Removes the focus, like a button that is disabled while its request runs.
  await page.evaluate(() => (document.activeElement as HTMLElement).blur())
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  assert.equal(new URL(page.url()).pathname, `/companies/${id}`)
  check()
  await close()
})

test('a digit chooses nothing before the options are known', { skip }, async () => {
  const ids = await idsOf({ sort: 'name' })
  const { page, check, close } = await openPage()
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
  await page.route(/\/api\/users/, async (route) => {
    await isReleased
    await route.continue()
  })
  await page.goto(`${demo.url}/companies?sort=name`)
  await untilFocused(page, ids[0])
  await requestsEnded(page)
  await page.keyboard.press('o')
  const dialog = page.getByRole('dialog', { name: /^Assign owner/ })
  await dialog.getByText('Loading').waitFor()
  await page.keyboard.press('1')
  release()
  await dialog.getByRole('option', { name: /Me \(/ }).waitFor()
  check()
  await close()
})

test('a digit chooses nothing if the options cannot be loaded', { skip: skip || slow }, async () => {
  const [id = ''] = await idsOf({ sort: 'name' })
  const owner = async () => (await demo.api.getCompany({ params: { id } })).data.company.owner_email
  await demo.api.updateCompany({ params: { id }, body: { owner_email: 'ada@example.com' } })
  const { page, check, close } = await openPage()
  await page.route(/\/api\/users/, (route) =>
    route.fulfill({ status: 400, json: { error: 'Bad Request', details: 'Refused by the test.' } }),
  )
  await page.goto(`${demo.url}/companies?sort=name`)
  await untilFocused(page, id)
  await requestsEnded(page)
  await page.keyboard.press('o')
  const dialog = page.getByRole('dialog', { name: /^Assign owner/ })
  await dialog.getByText('Refused by the test.').waitFor()
  await page.keyboard.press('1')
  await requestsEnded(page)
  assert.ok(await dialog.isVisible())
  assert.equal(await owner(), 'ada@example.com')
  check()
  await close()
})

test('pending changes stay on screen, keep the tab open, and are undone in order', {
  skip: skip || slow,
}, async () => {
  const [first = '', second = '', third = ''] = await idsOf({ sort: 'name' })
  const statuses = () =>
    Promise.all(
      [first, second].map(async (id) => (await demo.api.getCompany({ params: { id } })).data.company.status),
    )
  for (const id of [first, second])
    await demo.api.updateCompany({ params: { id }, body: { status: 'active' } })
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/companies?sort=name`)
  await untilFocused(page, first)
  await requestsEnded(page)
  const held: (() => void)[] = []
  await page.route(/\/api\/companies\/[^/?]+$/, async (route) => {
    if (route.request().method() === 'PATCH') await new Promise<void>((resolve) => held.push(resolve))
    await route.continue()
  })
  const isHeld = () => eventually(() => assert.notEqual(held.length, 0))
  const changed = async (id: string) => {
    await untilFocused(page, id)
    await page.keyboard.press('s')
    await page.getByRole('dialog').getByRole('option').first().waitFor()
    await page.keyboard.press('3')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  }
  const secondRow = page.locator('tbody tr').nth(1)
  const before = await secondRow.innerText()
  await changed(first)
  await isHeld()
  await changed(second)
  await eventually(async () => assert.notEqual(await secondRow.innerText(), before))
  const waiting = await secondRow.innerText()
  await page.keyboard.press('z')

  const requested = page.waitForEvent('dialog')
  await page.evaluate(() => setTimeout(() => location.reload()))
  const question = await requested
  assert.equal(question.type(), 'beforeunload')
  await question.dismiss()

  const refetched: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'GET' && /\/api\/companies\?/.test(request.url())) refetched.push(request.url())
  })
  // Another user's change does not refetch the list either.
  await demo.api.updateCompany({ params: { id: third }, body: { hq_city: 'Bergen' } })
  held.shift()?.()
  await isHeld()
  // Longer than the pause after which a saved change refetches the list.
  await page.waitForTimeout(3000)
  assert.deepEqual(refetched, [])
  assert.equal(await secondRow.innerText(), waiting)

  held.shift()?.()
  await page
    .getByText(/undone\./i)
    .first()
    .waitFor()
  assert.deepEqual(await statuses(), ['acquired', 'active'])
  await eventually(async () => assert.equal(await secondRow.innerText(), before))
  check()
  await close()
})

test('dialogs name a single company, and say how many selected ones are on other pages, or that only one is meant', {
  skip,
}, async () => {
  const ids = await idsOf({ sort: 'name', limit: 51 })
  const { name } = (await demo.api.getCompany({ params: { id: ids[0] as string } })).data.company
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/companies?sort=name`)
  await untilFocused(page, ids[0])
  await requestsEnded(page)
  const dialogOpens = async (key: string, title: string) => {
    await page.keyboard.press(key)
    await page.getByRole('dialog', { name: title, exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  }
  await page.keyboard.press('x')
  await page.keyboard.press('n')
  await page.waitForURL(/page=2/)
  await untilFocused(page, ids[50])
  await dialogOpens('Delete', `Delete ${name}?`)
  await page.keyboard.press('x')
  await dialogOpens('Delete', 'Delete 2 selected companies, 1 not on this page?')
  const { company: focused } = (await demo.api.getCompany({ params: { id: ids[50] as string } })).data
  await page.keyboard.press('d')
  const deal = page.getByRole('dialog', { name: 'New deal' })
  await deal.getByText(`This deal is with ${focused.name} only.`).waitFor()
  assert.equal(await deal.getByRole('combobox', { name: 'Company' }).count(), 0)
  check()
  await close()
})

test('a rejected change does not stay on screen', { skip: skip || slow }, async () => {
  const [id = ''] = await idsOf({ sort: 'name' })
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/companies?sort=name`)
  await untilFocused(page, id)
  await requestsEnded(page)
  const row = page.locator('tbody tr').first()
  const before = await row.innerText()
  // Only the change itself is answered. A refetched list would hide a change that was not reverted.
  let refuse = () => {}
  const isRefused = new Promise<void>((resolve) => {
    refuse = resolve
  })
  await page.route('**/api/companies**', async (route) => {
    if (route.request().method() !== 'PATCH') return
    await isRefused
    await route.fulfill({ status: 400, json: { error: 'Bad Request', details: 'Refused by the test.' } })
  })
  await page.keyboard.press('s')
  await page.getByRole('dialog').getByRole('option').first().waitFor()
  await page.keyboard.press('4')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await eventually(async () => assert.notEqual(await row.innerText(), before))
  refuse()
  await page.getByText('Refused by the test.').waitFor()
  await eventually(async () => assert.equal(await row.innerText(), before))
  check()
  await close()
})

test('a triage that exceeds the rate limit shows how long it waits, and loses nothing', {
  skip: skip || slow,
}, async () => {
  const ids = await idsOf({ sort: 'name' })
  const [first = ''] = ids
  await demo.api.updateCompany({ params: { id: first }, body: { status: 'active' } })
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/companies?sort=name`)
  await untilFocused(page, first)
  await requestsEnded(page)
  const release = await limitOnce(page)
  await page.keyboard.press('s')
  await page.getByRole('dialog').getByRole('option').first().waitFor()
  await page.keyboard.press('3')
  await untilFocused(page, ids[1])
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/companies/${ids[1]}`)
  await page.locator('main [data-skeleton=company]').waitFor()
  // Starts waiting before the requests are rejected, because the notice disappears once they are repeated.
  const isAnnounced = page.getByText(/Too many requests\. Continuing in/).waitFor()
  for (const key of ['J', 'J', 'J']) await page.keyboard.press(key)
  await page.waitForURL(`**/companies/${ids[4]}`)
  await isAnnounced
  release()
  await untilOpen(demo, page, ids[4])
  await page.getByText(/Too many requests/).waitFor({ state: 'hidden' })
  await eventually(async () =>
    assert.equal((await demo.api.getCompany({ params: { id: first } })).data.company.status, 'acquired'),
  )
  check()
  await close()
})

test('the letters that follow Ctrl+K reach the palette, and keys run no actions while a dialog loads', {
  skip,
}, async () => {
  const [first] = await idsOf({ sort: 'name' })
  const { page, check, close } = await openPage()
  const release = await hold(page, '**/assets/new-company-dialog-*.js')
  await page.goto(`${demo.url}/companies?sort=name`)
  await untilFocused(page, first)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('zxs', { delay: 80 })
  const palette = page.getByRole('dialog', { name: 'Command palette' })
  assert.equal(await palette.getByRole('combobox').inputValue(), 'zxs')
  await page.keyboard.press('Escape')
  await palette.waitFor({ state: 'hidden' })

  await untilFocused(page, first)
  await page.keyboard.press('c')
  await page.keyboard.press('x')
  release()
  await page.getByRole('dialog', { name: 'New company' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  assert.equal(await page.getByRole('region', { name: 'Selected companies' }).count(), 0)
  check()
  await close()
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '#src/testing/eventually.ts'
import { slow } from '#src/testing/slow.ts'
import { openPage, requestsEnded, skip } from './browser.ts'
import { withDemo } from './demo.ts'

const demo = withDemo()

const zoneOf = async (email: string) =>
  (await demo.api.getUser({ params: { email } })).data.preferences.time_zone

test('the time zone of the first browser is kept, and Settings changes it', { skip }, async () => {
  const user = 'lou@example.com'
  const first = await openPage({ user, timezoneId: 'America/Los_Angeles' })
  await first.page.goto(`${demo.url}/settings`)
  await eventually(async () => assert.equal(await zoneOf(user), 'America/Los_Angeles'))
  const select = first.page.getByRole('combobox', { name: 'Time zone' })
  await eventually(async () => assert.equal(await select.inputValue(), 'America/Los_Angeles'))
  first.check()
  await first.close()

  const traveling = await openPage({ user, timezoneId: 'Asia/Tokyo' })
  await traveling.page.goto(`${demo.url}/settings`)
  const shown = traveling.page.getByRole('combobox', { name: 'Time zone' })
  await eventually(async () => assert.equal(await shown.inputValue(), 'America/Los_Angeles'))
  await requestsEnded(traveling.page)
  assert.equal(await zoneOf(user), 'America/Los_Angeles')
  await shown.selectOption('Asia/Tokyo')
  await eventually(async () => assert.equal(await zoneOf(user), 'Asia/Tokyo'))
  traveling.check()
  await traveling.close()
})

test('a browser that reports UTC, or cannot store its zone, changes nothing', {
  skip: skip || slow,
}, async () => {
  const user = 'uma@example.com'
  for (const timezoneId of ['UTC', 'Europe/Berlin']) {
    const { page, check, close } = await openPage({ user, timezoneId })
    await page.route('**/api/users/*', (route) =>
      route.request().method() === 'PATCH' ? route.fulfill({ status: 503 }) : route.continue(),
    )
    await page.goto(`${demo.url}/settings`)
    await page.getByRole('combobox', { name: 'Time zone' }).waitFor()
    await requestsEnded(page)
    assert.equal(await page.getByRole('combobox', { name: 'Time zone' }).inputValue(), '')
    assert.equal(await page.getByRole('alert').count(), 0)
    assert.equal(await zoneOf(user), undefined)
    check()
    await close()
  }
})

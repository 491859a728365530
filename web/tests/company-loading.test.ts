/// <reference lib="dom" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '#src/testing/eventually.ts'
import { hasFocus, openPage, requestsEnded, skip } from './browser.ts'
import { withDemo } from './demo.ts'
import { hold } from './hold.ts'

const demo = withDemo()

const openCompany = async () => {
  const opened = await openPage()
  const release = await hold(opened.page, '**/editable-field-input-*.js')
  const { data } = await demo.api.createCompany({ body: { name: 'Slow', hq_city: 'Bergen' } })
  await opened.page.goto(`${demo.url}/companies/${data.id}`)
  const city = opened.page.getByRole('button', { name: /^Edit HQ city/ })
  const load = async () => {
    await city.focus()
    await opened.page.keyboard.press('Enter')
    await opened.page.locator('[aria-busy=true]').and(city).waitFor()
  }
  return { ...opened, city, load, release }
}

test('a field whose input is loading intercepts keys, keeps the focus, and then opens', {
  skip,
}, async () => {
  const { page, city, load, release, check, close } = await openCompany()
  const dialog = page.getByRole('dialog')
  // Once it is loaded, the key changes the status.
  await city.focus()
  await eventually(async () => {
    await page.keyboard.press('s')
    await dialog.waitFor({ timeout: 1000 })
  })
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await load()
  await page.keyboard.press('s')
  await hasFocus(city)
  release()
  await hasFocus(page.getByRole('textbox', { name: 'HQ city' }))
  assert.equal(await dialog.count(), 0)
  check()
  await close()
})

test('Escape cancels a field whose input is loading', { skip }, async () => {
  const { page, city, load, release, check, close } = await openCompany()
  await load()
  await page.keyboard.press('Escape')
  release()
  await requestsEnded(page)
  await hasFocus(city)
  await page.keyboard.press('Enter')
  await hasFocus(page.getByRole('textbox', { name: 'HQ city' }))
  check()
  await close()
})

test('the sections of a company have their headings before they are loaded', { skip }, async () => {
  const { page, check, close } = await openPage()
  const release = await hold(page, '**/{executives,financials}-*.js')
  const { data } = await demo.api.createCompany({ body: { name: 'Headed', executives: [{ name: 'Grete' }] } })
  await page.goto(`${demo.url}/companies/${data.id}`)
  for (const name of ['Executives', 'Financials']) await page.getByRole('heading', { name }).waitFor()
  assert.equal(await page.getByText('Grete').count(), 0)
  release()
  await page.getByText('Grete').waitFor()
  assert.equal(await page.getByRole('heading', { name: 'Executives' }).count(), 1)
  check()
  await close()
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '#src/testing/eventually.ts'
import { openPage, skip } from './browser.ts'
import { withDemo } from './demo.ts'

const demo = withDemo()

test('deals of the demo have sources of all types, which the list shows', { skip }, async () => {
  const { data } = await demo.api.listDeals({ querystring: { limit: 1000 } })
  const named = data.filter(({ source_name }) => source_name !== null)
  assert.deepEqual([...new Set(named.map(({ source_type }) => source_type))].sort(), [
    'channel',
    'company',
    'person',
    'user',
  ])
  const { page, check, close } = await openPage()
  const columns = encodeURIComponent(JSON.stringify([{ field: 'company_name' }, { field: 'source_name' }]))
  await page.goto(`${demo.url}/pipeline?layout=list&columns=${columns}`)
  await page.getByRole('columnheader', { name: 'Brought by' }).waitFor()
  await page.getByRole('cell', { name: 'Conference', exact: true }).first().waitFor()
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/list.png` })
  check()
  await close()
})

test('who brought a deal is chosen among people, companies, colleagues, and channels, and shown with the company', {
  skip,
}, async () => {
  const { api, url } = demo
  const company = async (name: string) => (await api.createCompany({ body: { name } })).data.id
  const [target, fund] = [await company('Target Looms'), await company('Zephyr Ventures')]
  const person = (await api.createPerson({ body: { name: 'Zoe Lindqvist', headline: 'Partner at Birch' } }))
    .data
  const deal = (await api.createDeal({ body: { company_id: target } })).data
  const stored = async () => {
    const { source_type, source_id } = (await api.getDeal({ params: { id: deal.id } })).data
    return [source_type, source_id]
  }
  const { page, check, close } = await openPage()
  await page.goto(`${url}/pipeline?deal=${deal.id}`)
  const panel = page.getByRole('dialog')
  const input = panel.getByRole('combobox', { name: 'Brought by' })
  const choose = async (text: string, option: string, source: unknown[]) => {
    await input.click()
    await input.fill(text)
    await page.getByRole('option', { name: option }).click()
    await eventually(async () => assert.deepEqual(await stored(), source))
  }
  await input.click()
  await input.fill('zoe')
  await page.getByRole('option', { name: 'Zoe Lindqvist' }).waitFor()
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/picker.png` })
  await input.press('Escape')
  await choose('zoe', 'Zoe Lindqvist', ['person', person.id])
  assert.equal(await input.inputValue(), 'Zoe Lindqvist')
  await choose('conf', 'Conference', ['channel', 'conference'])
  await choose('ada', 'Ada', ['user', 'ada@example.com'])
  await input.click()
  await input.fill('zephyr')
  await input.press('Enter')
  await eventually(async () => assert.deepEqual(await stored(), ['company', fund]))
  assert.equal(await input.inputValue(), 'Zephyr Ventures')
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/panel.png` })

  await panel.getByRole('link', { name: 'Open Zephyr Ventures' }).click()
  const brought = page.getByRole('region', { name: 'Brought 1 deal' })
  await brought.waitFor()
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/company.png`, fullPage: true })
  await brought.getByRole('link', { name: 'Target Looms' }).click()
  await page.getByRole('heading', { level: 1, name: 'Deal with Target Looms' }).waitFor()
  const onPage = page.getByRole('complementary').getByRole('combobox', { name: 'Brought by' })
  await onPage.click()
  await onPage.fill('')
  await onPage.press('Enter')
  await eventually(async () => assert.deepEqual(await stored(), [null, null]))
  check()
  await close()
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from '#src/testing/eventually.ts'
import { screenLoaded } from './axe.ts'
import { openPage, skip } from './browser.ts'
import { withDemo } from './demo.ts'

const demo = withDemo()

async function openScreen(page: Page, address: string): Promise<void> {
  await page.goto(demo.url + address)
  await screenLoaded(page)
}

/** Chooses the first action that the palette finds. */
async function run(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Command palette' }).fill(name)
  await page.getByRole('option', { name }).and(page.locator('[data-combobox-selected]')).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Command palette' }).waitFor({ state: 'hidden' })
}

async function opensDialog(page: Page, action: string, title: string | RegExp): Promise<void> {
  await run(page, action)
  await page.getByRole('dialog', { name: title }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
}

test('the palette offers the actions of the list of companies and its selection', { skip }, async () => {
  const { page, check, close } = await openPage()
  await openScreen(page, '/companies')
  await opensDialog(page, 'Save as view', 'Save as a new view')
  const download = page.waitForEvent('download')
  await run(page, 'as CSV')
  assert.match((await download).suggestedFilename(), /\.csv$/)

  const bar = page.getByRole('region', { name: 'Selected companies' })
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
  await bar.waitFor()
  const { pagination } = await demo.api.listCompanies({ querystring: { limit: 0 } })
  await run(page, 'matching companies')
  await bar.getByText(`${pagination.total} selected`).waitFor()
  await opensDialog(page, 'Run AI', /./)
  await run(page, 'Clear selection')
  await bar.waitFor({ state: 'hidden' })
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Command palette' }).fill('Run AI')
  // Companies that contain the words appear after the actions would.
  await page.getByRole('option').first().waitFor()
  assert.equal(await page.getByRole('option', { name: /^Run AI/ }).count(), 0)
  check()
  await close()
})

test('the palette offers the actions of a company and a thesis', { skip }, async () => {
  const [company] = (await demo.api.listCompanies({ querystring: { limit: 1 } })).data
  const [thesis] = (await demo.api.listTheses()).data
  assert.ok(company && thesis)
  const { page, check, close } = await openPage()
  await openScreen(page, `/companies/${company.id}`)
  await opensDialog(page, 'Run AI: Score', /./)
  await opensDialog(page, 'Delete', `Delete ${company.name}?`)
  await run(page, 'Possible duplicates')
  await page.waitForURL(`**/duplicates?company=${company.id}`)

  await openScreen(page, '/theses')
  await opensDialog(page, 'New thesis', 'New thesis')
  await openScreen(page, `/theses/${thesis.id}`)
  await opensDialog(page, 'Delete thesis', `Delete thesis ${thesis.code}?`)
  await run(page, 'Edit thesis')
  await page.getByRole('heading', { name: `Edit ${thesis.code}` }).waitFor()
  check()
  await close()
})

test('the palette offers the actions of the pipeline and the selected deals', { skip }, async () => {
  const [company] = (await demo.api.listCompanies({ querystring: { limit: 1 } })).data
  const { data: deal } = await demo.api.createDeal({
    body: { company_id: company?.id ?? '', source: 'Palette' },
  })
  const { page, check, close } = await openPage()
  const filter = encodeURIComponent(JSON.stringify({ field: 'source', op: 'eq', value: 'Palette' }))
  await openScreen(page, `/pipeline?filter=${filter}`)
  await opensDialog(page, 'New deal', 'New deal')
  await run(page, 'Show as a list')
  await page.waitForURL(/layout=list/)
  await page.getByRole('region', { name: 'List of deals' }).or(page.locator('tbody tr')).first().waitFor()
  await run(page, 'Show as a board')
  await page.waitForURL(/layout=board/)
  await page.locator(`button[data-deal="${deal.id}"]`).focus()
  await page.keyboard.press('x')
  await page.getByText('1 selected').waitFor()
  await run(page, 'Move deals to a stage')
  await page.getByRole('menuitem', { name: 'Due diligence' }).click()
  await eventually(async () =>
    assert.equal((await demo.api.getDeal({ params: { id: deal.id } })).data.stage, 'due_diligence'),
  )
  check()
  await close()
})

/** Chooses an action that goes to another address. */
async function runAndGo(page: Page, name: string, address: string): Promise<void> {
  await run(page, name)
  await page.waitForURL(address)
  await screenLoaded(page)
}

test('the palette offers the actions of the settings, the trash, duplicates, and bulk actions', {
  skip,
}, async () => {
  const { page, check, close } = await openPage()
  await openScreen(page, '/settings/keys')
  await opensDialog(page, 'New API key', 'New API key')
  await runAndGo(page, 'Settings: Fields', '**/settings/fields')
  await opensDialog(page, 'New field', /^New field/)
  await runAndGo(page, 'Settings: Stages', '**/settings/stages')
  const stages = page.getByRole('textbox', { name: /^Label of stage/ })
  await stages.first().waitFor()
  const before = await stages.count()
  await run(page, 'Add stage')
  await eventually(async () => assert.equal(await stages.count(), before + 1))
  await run(page, 'Discard changes')
  await eventually(async () => assert.equal(await stages.count(), before))

  await runAndGo(page, 'Trash', '**/trash')
  await runAndGo(page, 'Show: Deals', '**/trash?type=dealflow')
  await runAndGo(page, 'Duplicates', '**/duplicates')
  await runAndGo(page, 'Show: Dismissed', '**/duplicates?status=dismissed')

  const [action] = (await demo.api.listBulkActions()).data
  await demo.api.updateBulkAction({ params: { id: action?.id ?? '' }, body: { status: 'running' } })
  await openScreen(page, `/bulk-actions/${action?.id}`)
  await opensDialog(page, 'Cancel bulk action', 'Cancel this bulk action?')
  await openScreen(page, '/bulk-actions')
  await runAndGo(page, 'Show: Failed', '**/bulk-actions?status=failed')
  check()
  await close()
})

test('the palette finds companies by words in any order, spellings, and addresses, and Enter opens the first', {
  skip,
}, async () => {
  const website = 'https://www.palette-optik.example'
  const { data: company } = await demo.api.createCompany({ body: { name: 'Größte Müller Optik', website } })
  const { data: chinese } = await demo.api.createCompany({ body: { name: '深圳调色板' } })
  const { page, check, close } = await openPage()
  await openScreen(page, '/')
  for (const [text, { id, name }] of [
    ['optik  mueller', company],
    ['调色', chinese],
    [`${website}/about?x=1`, company],
  ] as const) {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Command palette' }).fill(text)
    await page.getByRole('option', { name }).and(page.locator('[data-combobox-selected]')).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/companies/${id}`)
    await screenLoaded(page)
  }
  check()
  await close()
})

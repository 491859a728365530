/// <reference lib="dom" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from '#src/testing/eventually.ts'
import { assertAccessible, screenLoaded } from './axe.ts'
import { hasFocus, openPage, pressQuickly, skip } from './browser.ts'
import { withDemo } from './demo.ts'
import { addProperty } from './properties.ts'
import { button, isSaved } from './saved-views.ts'

const demo = withDemo()

const NARROW = { width: 375, height: 800 }

type NewPerson = Parameters<typeof demo.api.createPerson>[0]['body']

const newCompany = async (name: string, executives?: { name: string; title: string }[]) =>
  (await demo.api.createCompany({ body: { name, ...(executives && { executives }) } })).data
const newPerson = async (body: NewPerson) => (await demo.api.createPerson({ body })).data
const read = async (id: string) => (await demo.api.getPerson({ params: { id } })).data
const row = (page: Page, name: string) => page.locator('tbody tr', { hasText: name })
const edit = (page: Page, label: string) => page.getByRole('button', { name: `Edit ${label}: ` }).click()
const box = (page: Page, label: string) => page.getByRole('textbox', { name: label, exact: true })
const choose = async (page: Page, label: string, text: string, option: string | RegExp = text) => {
  await page.getByRole('combobox', { name: label }).fill(text)
  await page.getByRole('option', { name: option }).first().click()
}

test('people are searched, filtered by company, sorted, opened with keys, and kept in a view', {
  skip,
}, async () => {
  const [looms, mills] = [await newCompany('Peopled Looms'), await newCompany('Peopled Mills')]
  for (const [name, company] of [
    ['Zora Weaver', looms],
    ['Abel Weaver', looms],
    ['Mira Weaver', mills],
  ] as const)
    await newPerson({
      name,
      emails: [`${name.slice(0, 4).toLowerCase()}@weavers.example`],
      companies: [
        {
          ...{ company_id: company.id, role: 'Engineer', is_primary: true },
          ...(name === 'Abel Weaver' && { until: '2022-12-31' }),
        },
      ],
    })
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/home`)
  await page.locator('main h1').waitFor()
  await pressQuickly(page, 'g', 'e')
  await page.getByRole('heading', { level: 1, name: 'People' }).waitFor()
  await row(page, 'Mira Weaver').waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('weaver')
  await page.getByText('3 matching people').waitFor()
  await row(page, 'Mira Weaver').getByText('Peopled Mills · Engineer').waitFor()
  await row(page, 'Abel Weaver').getByText('Peopled Looms · Engineer · until 2022').waitFor()

  await button(page, 'Filter').click()
  const filter = page.getByRole('dialog', { name: 'Filter' })
  await filter.getByRole('combobox', { name: 'Field' }).fill('Company')
  await page.getByRole('option', { name: 'Company', exact: true }).click()
  await filter.getByRole('combobox', { name: 'Value' }).fill('Peopled Lo')
  await page.getByRole('option', { name: 'Peopled Looms' }).click()
  // The first closes the list of companies.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await filter.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Company is Peopled Looms', exact: true }).waitFor()
  await row(page, 'Mira Weaver').waitFor({ state: 'detached' })
  await page.locator('th[data-field=name]').getByRole('button').first().click()
  await page.waitForURL((url) => url.searchParams.get('sort') === 'name')
  await eventually(async () =>
    assert.deepEqual(await page.locator('tbody a[data-record]').allTextContents(), [
      'AWAbel Weaver',
      'ZWZora Weaver',
    ]),
  )

  await button(page, 'Save as view…').click()
  await box(page, 'Name').fill('Weavers of looms')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await isSaved(page)
  const view = new URL(page.url()).searchParams.get('view')
  await page.goto(`${demo.url}/people?view=${view}`)
  await page.getByText('2 matching people').waitFor()
  await assertAccessible(page, 'people', [NARROW])
  await page.locator('tbody a[data-record]').first().focus()
  await page.keyboard.press('j')
  await hasFocus(row(page, 'Zora Weaver').locator('a[data-record]'))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Zora Weaver' }).waitFor()
  assert.match(await page.title(), /^Zora Weaver · /)
  await page.keyboard.press('Escape')
  await page.getByText('2 matching people').waitFor()
  check()
  await close()
})

test('a person is created with a new company, and people with the same email address are named', {
  skip,
}, async () => {
  const twin = await newPerson({ name: 'Ida Holt', emails: ['ida@holt.example'] })
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/people`)
  await page.locator('main h1').waitFor()
  await page.keyboard.press('c')
  await hasFocus(box(page, 'Name'))
  await button(page, 'Create person').click()
  await page.getByText('Enter a name.').waitFor()
  await box(page, 'Name').fill('Ida Holt-Berg')
  await box(page, 'Email address').fill('ida@holt.example')
  await box(page, 'Phone number').fill('not a number')
  await choose(page, 'Company', 'Holt Bakeries', 'Create “Holt Bakeries”')
  await box(page, 'Role').fill('Founder')
  await button(page, 'Create person').click()
  await page.getByText(/^Start with the country code, such as \+46 /).waitFor()
  await box(page, 'Phone number').fill('+47 73 59 00 00')
  await button(page, 'Create person').click()
  const same = page.getByRole('alert').filter({ hasText: 'Ida Holt-Berg was created' })
  assert.equal(
    await same.getByRole('link', { name: 'Ida Holt', exact: true }).getAttribute('href'),
    `/people/${twin.id}`,
  )
  await button(page, 'Open Ida Holt-Berg').click()
  await page.getByRole('heading', { level: 1, name: 'Ida Holt-Berg' }).waitFor()
  await page.getByRole('tabpanel').getByRole('link', { name: 'Holt Bakeries' }).waitFor()
  await page.getByText('Someone else may be the same person:').waitFor()
  await button(page, 'Merge with Ida Holt').click()
  await page.getByRole('dialog', { name: 'Merge 2 people' }).getByText('Also moves:').waitFor()
  await page.keyboard.press('Escape')
  const { total } = (await demo.api.listCompanies({ querystring: { search: 'Holt Bakeries' } })).pagination
  assert.equal(total, 1, 'The second attempt uses the company that the first one created.')
  check()
  await close()
})

test('a person is edited in place, linked, and deleted, each with history and undo', { skip }, async () => {
  const company = await newCompany('Linked Looms')
  const person = await newPerson({ name: 'Nell Ashby', emails: ['nell@ashby.example'] })
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/people/${person.id}`)
  await edit(page, 'Email addresses')
  await box(page, 'Email addresses').fill('nell@ashby.example\nnot an address')
  await page.keyboard.press('Control+Enter')
  await page.getByText(/^Line 2 /).waitFor()
  await box(page, 'Email addresses').fill('nell@ashby.example\nn.ashby@home.example')
  await page.keyboard.press('Control+Enter')
  const write = page.getByRole('link', { name: 'Write to n.ashby@home.example' })
  assert.equal(await write.getAttribute('href'), 'mailto:n.ashby@home.example')

  // Someone else changes the same field.
  await addProperty(page, 'Location')
  await box(page, 'Location').fill('Oslo')
  await demo.api.updatePerson({ params: { id: person.id }, body: { location: 'Bergen' } })
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('Bergen').waitFor()
  await button(page, 'Keep mine').click()
  await eventually(async () => assert.equal((await read(person.id)).location, 'Oslo'))

  await button(page, 'Add company').click()
  await choose(page, 'Company', 'Linked Looms')
  await box(page, 'Role').fill('Chair')
  await page.getByLabel('From').fill('05/2020')
  await page.getByText('Friday, May 1, 2020', { exact: true }).waitFor()
  await page.getByLabel('Until').fill('last May')
  await page.keyboard.press('Enter')
  await page.getByText('“last May” is not a date. Enter a year, a month such as 03/2021').waitFor()
  await page.getByLabel('Until').fill('2019')
  await button(page, 'Add').click()
  await page.getByText('The last day must not be before the first day.').waitFor()
  await page.getByLabel('Until').fill('2022-05-01')
  await button(page, 'Add').click()
  await page.getByRole('heading', { name: 'Past' }).waitFor()
  await page.getByText('May 1, 2020 – May 1, 2022').waitFor()
  await button(page, 'Edit the role of Nell Ashby at Linked Looms').click()
  await page.getByLabel('Until').fill('')
  await page.getByRole('checkbox', { name: 'Primary company of this person' }).check()
  await button(page, 'Save').click()
  await page.getByText('since May 1, 2020').waitFor()
  await page.getByRole('heading', { name: 'Past' }).waitFor({ state: 'detached' })
  const link = { role: 'Chair', from: '2020-05-01', until: null, is_primary: true }
  assert.deepEqual((await read(person.id)).companies, [
    { company_id: company.id, name: company.name, ...link },
  ])
  await screenLoaded(page)
  await assertAccessible(page, 'person', [NARROW])
  await button(page, 'Remove Nell Ashby from Linked Looms').click()
  await page.getByText('Nell Ashby removed from Linked Looms.').waitFor()
  await page.getByText('No companies yet.').waitFor()
  await button(page, 'Undo').click()
  await page.getByText('since May 1, 2020').waitFor()

  await page.getByRole('tab', { name: 'History' }).click()
  const history = page.getByRole('tabpanel')
  await history.getByText('nell@ashby.example, n.ashby@home.example').waitFor()
  await history.getByText('Chair, since May 1, 2020, primary').first().waitFor()

  await page.getByRole('tab', { name: 'Timeline' }).click()
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await timeline
    .getByRole('button', { name: /^Show \d+ changes$/ })
    .first()
    .click()
  for (const text of ['linked Linked Looms', 'removed Linked Looms'])
    await timeline.getByText(text).first().waitFor()
  await timeline.getByText('changed the dates and primary company at Linked Looms').waitFor()

  await page.keyboard.press('Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete person' }).click()
  await page.getByRole('heading', { level: 1, name: 'People' }).waitFor()
  await page.getByText('Nell Ashby moved to the trash.').waitFor()
  await page.goto(`${demo.url}/people/${person.id}`)
  await button(page, 'Restore').click()
  await page.getByRole('heading', { level: 1, name: 'Nell Ashby' }).waitFor()
  await page.goto(`${demo.url}/people/per_none`)
  await page.getByText('Person not found').waitFor()
  check()
  await close()
})

test('a company lists its people, takes new ones, and makes people of its executives once', {
  skip,
}, async () => {
  const company = await newCompany('Panel Looms', [
    { name: 'Ola Nord', title: 'Chief Executive Officer' },
    { name: 'Kari Sund', title: 'Chief Financial Officer' },
  ])
  const present = [{ company_id: company.id, role: 'Chair' }]
  await newPerson({ name: 'kari sund', companies: present })
  await newPerson({ name: 'Former Head', companies: [{ company_id: company.id, until: '2020-01-01' }] })
  const known = await newPerson({ name: 'Known Elsewhere', headline: 'Investor' })
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/companies/${company.id}`)
  const panel = page.getByRole('region', { name: 'People' })
  const names = () => panel.locator('li a[href^="/people/"]').allTextContents()
  await button(page, 'Add executives as people').click()
  await page.getByText('1 person created, 1 already there.').waitFor()
  await button(page, 'Add executives as people').waitFor({ state: 'detached' })
  await eventually(async () => assert.deepEqual(await names(), ['Ola Nord', 'kari sund']))
  await button(page, 'Show 1 person who left').click()
  await panel.getByText('until Jan 1, 2020').waitFor()

  await button(page, 'Add person').click()
  await choose(page, 'Person', 'Known Else', /^Known Elsewhere/)
  await button(page, 'Add').click()
  await panel.getByRole('link', { name: 'Known Elsewhere' }).waitFor()
  await button(page, 'Add person').click()
  await choose(page, 'Person', 'Known Else', /^Known Elsewhere/)
  await button(page, 'Add').click()
  await page.getByText('They are linked already. Edit that entry instead.').waitFor()
  await choose(page, 'Person', 'Brand New', 'Create “Brand New”')
  await box(page, 'Email address').fill('brand@new.example')
  await box(page, 'Role').fill('Head of Sales')
  await button(page, 'Add').click()
  await panel.getByText('Head of Sales').waitFor()
  await panel.getByRole('link', { name: 'Write to brand@new.example' }).waitFor()
  assert.deepEqual((await read(known.id)).companies[0]?.name, 'Panel Looms')
  // What others change appears.
  await demo.api.updatePerson({ params: { id: known.id }, body: { name: 'Renamed Elsewhere' } })
  await panel.getByRole('link', { name: 'Renamed Elsewhere' }).waitFor()
  await screenLoaded(page)
  await assertAccessible(page, 'company with people', [NARROW])
  check()
  await close()
})

test('selected people are merged side by side, also from the page of one, and split again with undo', {
  skip,
}, async () => {
  const company = await newCompany('Merged Looms')
  const kept = await newPerson({ name: 'Jo Merger', location: 'Oslo', emails: ['jo@merger.example'] })
  const twin = await newPerson({
    ...{ name: 'Johanna Merger', location: 'Bergen', emails: ['johanna@merger.example'] },
    companies: [{ company_id: company.id, role: 'Partner' }],
  })
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/people?q=merger`)
  await row(page, 'Jo Merger').getByRole('checkbox').check()
  await page.getByText('Select another person to merge them.').waitFor()
  await row(page, 'Johanna Merger').getByRole('checkbox').check()
  await page.getByRole('region', { name: 'Selected people' }).getByRole('button', { name: 'Merge' }).click()
  const dialog = page.getByRole('dialog', { name: 'Merge 2 people' })
  await dialog.getByRole('radio', { name: 'Bergen' }).check()
  await dialog.getByText('Also moves: 1 company').waitFor()
  await assertAccessible(page, 'merging people', [NARROW])
  await dialog.getByRole('button', { name: 'Merge 2 people' }).click()
  await page.getByText('1 person merged into Jo Merger.').waitFor()
  const merged = await read(kept.id)
  assert.deepEqual(
    [merged.location, merged.emails, merged.companies[0]?.role],
    ['Bergen', ['jo@merger.example', 'johanna@merger.example'], 'Partner'],
  )
  // The address of the other leads to the survivor.
  await page.goto(`${demo.url}/people/${twin.id}`)
  await page.waitForURL(`**/people/${kept.id}`)
  await page.getByRole('link', { name: 'Merged Looms' }).first().waitFor()
  const [action] = (await demo.api.listActions({ querystring: { limit: 1 } })).data
  await demo.api.undoAction({ params: { id: action?.id ?? '' }, body: {} })
  await eventually(async () => assert.equal((await read(twin.id)).location, 'Bergen'))

  await page.goto(`${demo.url}/people/${twin.id}`)
  await page.getByRole('heading', { level: 1, name: 'Johanna Merger' }).waitFor()
  await button(page, 'More actions').click()
  await page.getByRole('menuitem', { name: 'Merge into…' }).click()
  await page.getByRole('combobox', { name: 'Merge Johanna Merger into…' }).fill('jo mer')
  await page.getByRole('option', { name: /^Jo Merger/ }).click()
  await dialog.getByRole('button', { name: 'Merge 2 people' }).click()
  await page.getByRole('heading', { level: 1, name: 'Jo Merger' }).waitFor()
  check()
  await close()
})

test('people are made of the executives of selected companies, once', { skip }, async () => {
  for (const name of ['Crewed Looms', 'Crewed Mills'])
    await newCompany(name, [{ name: `Head of ${name}`, title: 'Chief Executive Officer' }])
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/companies?q=crewed`)
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  const make = page
    .getByRole('region', { name: 'Selected companies' })
    .getByRole('button', { name: 'Add executives as people' })
  await make.click()
  await page.getByText('2 people created.').waitFor()
  await make.click()
  await page.getByText('0 people created, 2 already there.').waitFor()
  const { data } = await demo.api.listPeople({ querystring: { search: 'head of crewed' } })
  assert.deepEqual(
    data.map(({ companies }) => companies[0]?.role),
    ['Chief Executive Officer', 'Chief Executive Officer'],
  )
  check()
  await close()
})

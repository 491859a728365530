/// <reference lib="dom" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from '#src/testing/eventually.ts'
import { slow } from '#src/testing/slow.ts'
import { assertAccessible, screenLoaded } from './axe.ts'
import { hasFocus, openPage, skip, transitionsEnded } from './browser.ts'
import { type Demo, withDemo } from './demo.ts'
import { addProperty } from './properties.ts'

const NARROW = { width: 320, height: 800 }

const demo = withDemo()

const create = async (body: Parameters<Demo['api']['createCompany']>[0]['body']) =>
  (await demo.api.createCompany({ body })).data
const read = async (id: string) => (await demo.api.getCompany({ params: { id } })).data.company
const shown = (page: Page, label: string, value: string) =>
  page.getByRole('button', { name: `Edit ${label}: ${value}`, exact: true }).waitFor()
const openMenu = (page: Page, name: string) =>
  page.getByRole('button', { name: `Actions for ${name}` }).click()

test('a field is created in Settings, filled on a company page, and deleted with its values', {
  skip,
}, async () => {
  const { id } = await create({ name: 'Custom Looms' })
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/settings/fields`)
  await page.getByRole('button', { name: 'New field' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Label' }).fill('Warmth of intro')
  assert.equal(await dialog.getByRole('textbox', { name: 'Key' }).inputValue(), 'warmth_of_intro')
  await dialog.getByRole('combobox', { name: 'Type' }).selectOption('Single choice')
  await dialog.getByRole('textbox', { name: 'Option 1' }).fill('Cold')
  await page.keyboard.press('Enter')
  await hasFocus(dialog.getByRole('textbox', { name: 'Option 2' }))
  await page.keyboard.type('Warm')
  // Blank options are not sent, but count in the dialog.
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await hasFocus(dialog.getByRole('textbox', { name: 'Option 4' }))
  await page.keyboard.type('warm')
  await dialog.getByRole('button', { name: 'Create field' }).click()
  const refusal = dialog.getByText('Option 4 must be unique within the field.')
  await refusal.waitFor()
  await dialog.getByRole('button', { name: 'Remove warm', exact: true }).click()
  await refusal.waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: 'Create field' }).click()
  await page.getByRole('row', { name: /^Warmth of intro Single choice Cold, Warm/ }).waitFor()
  await demo.api.createField({ body: { entity: 'company', label: 'Runway', type: 'number' } })

  await page.goto(`${demo.url}/companies/${id}`)
  await addProperty(page, 'Warmth of intro')
  await page.getByRole('option', { name: 'Warm', exact: true }).click()
  await shown(page, 'Warmth of intro', 'Warm')
  await page.getByText('Updated Warmth of intro for Custom Looms.').waitFor()
  await addProperty(page, 'Runway')
  await page.getByRole('textbox', { name: 'Runway' }).fill('a year')
  await page.keyboard.press('Enter')
  await page.getByText(/^Runway must be a number from .*, not "a year"\.$/).waitFor()
  assert.equal((await read(id)).custom.runway, undefined)
  await page.getByRole('textbox', { name: 'Runway' }).fill('14')
  await page.keyboard.press('Enter')
  await shown(page, 'Runway', '14')
  await page.getByText('Updated Runway for Custom Looms.').waitFor()
  assert.deepEqual(Object.keys((await read(id)).custom).toSorted(), ['runway', 'warmth_of_intro'])

  await page.goto(`${demo.url}/settings/fields`)
  await openMenu(page, 'Warmth of intro')
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await dialog.getByRole('button', { name: 'Move Warm up' }).click()
  await dialog.getByRole('textbox', { name: 'Option 1' }).fill('Very warm')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row', { name: /Very warm, Cold/ }).waitFor()
  await openMenu(page, 'Warmth of intro')
  await page.getByRole('menuitem', { name: 'Archive' }).click()
  await page.getByText('Field Warmth of intro archived. Its values are kept.').waitFor()
  await openMenu(page, 'Warmth of intro')
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await dialog
    .getByText('This removes the values of 1 company. Records in the trash lose their values too.')
    .waitFor()
  await dialog.getByRole('button', { name: 'Delete field and 1 value' }).click()
  await page.getByRole('row', { name: /^Warmth of intro/ }).waitFor({ state: 'detached' })
  const { data } = await demo.api.listFields()
  assert.equal(
    data.some(({ key }) => key === 'warmth_of_intro'),
    false,
  )
  check()
  await close()
})

test('a new company asks for the fields that are required', { skip: skip || slow }, async () => {
  const body = { entity: 'company' as const, label: 'Batch', type: 'text' as const, required: true }
  const { data: field } = await demo.api.createField({ body })
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/companies`)
  await page.getByRole('button', { name: 'New company' }).click()
  const dialog = page.getByRole('dialog', { name: 'New company' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Required Looms')
  await dialog.getByRole('textbox', { name: 'Batch' }).waitFor()
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.getByText('Batch is required.').waitFor()
  await dialog.getByRole('textbox', { name: 'Batch' }).fill('Summer 26')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await shown(page, 'Batch', 'Summer 26')
  check()
  await close()
  await demo.api.updateField({ params: { id: field.id }, body: { archived: true } })
  await demo.api.deleteField({ params: { id: field.id }, querystring: { confirm: true } })
})

test('tags and the owner of a company are edited with the keyboard, and a tag is renamed with Undo', {
  skip,
}, async () => {
  const { id } = await create({ name: 'Tagged Looms', tags: ['Weaving'] })
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/companies/${id}`)
  await page.getByRole('button', { name: /^Edit Tags: / }).focus()
  await page.keyboard.press('Enter')
  await hasFocus(page.getByRole('combobox', { name: 'Tags' }))
  await page.keyboard.type('Mills')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Left unfinished')
  await page.keyboard.press('Tab')
  await page.getByText('Updated tags for Tagged Looms.').waitFor()
  assert.deepEqual((await read(id)).tags, ['Left unfinished', 'Mills', 'Weaving'])
  await addProperty(page, 'Owner')
  await hasFocus(page.getByRole('combobox', { name: 'Owner' }))
  await page.keyboard.type('ada@')
  await page.getByRole('option', { name: 'ada@example.com' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('Updated owner for Tagged Looms.').waitFor()
  assert.equal((await read(id)).owner_email, 'ada@example.com')

  await page.goto(`${demo.url}/settings/tags?q=Weav`)
  await openMenu(page, 'Weaving')
  await page.getByRole('menuitem', { name: 'Rename…' }).click()
  await page.getByRole('textbox', { name: 'New name' }).fill('Mills')
  await page.getByText('Mills already exists for 1 company. The two tags become one.').waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('Weaving is now Mills for 1 company.').waitFor()
  assert.deepEqual((await read(id)).tags, ['Left unfinished', 'Mills'])
  await page
    .getByRole('alert')
    .filter({ hasText: 'Weaving is now Mills for 1 company.' })
    .getByRole('button', { name: 'Undo' })
    .click()
  await page.getByText(/undone\./).waitFor()
  assert.deepEqual((await read(id)).tags, ['Left unfinished', 'Mills', 'Weaving'])
  check()
  await close()
})

test('in the list, Enter chooses the owner that was typed, and suggested tags close after a choice', {
  skip: skip || slow,
}, async () => {
  const { id } = await create({ name: 'Owned Looms' })
  await create({ name: 'Suggesting Looms', tags: ['Carding', 'Carpets'] })
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/companies?q=Owned Looms`)
  await page.getByRole('button', { name: /^Owner of Owned Looms/ }).click()
  await hasFocus(page.getByRole('combobox', { name: 'Owner' }))
  await page.keyboard.type('ben')
  // The people may arrive after the text.
  await page.getByRole('option', { name: 'ben@example.com' }).waitFor()
  await page.getByRole('option').nth(1).waitFor({ state: 'detached' })
  await page.keyboard.press('Enter')
  await eventually(async () => assert.equal((await read(id)).owner_email, 'ben@example.com'))

  await page.getByRole('link', { name: 'Owned Looms' }).focus()
  await page.keyboard.press('#')
  const dialog = page.getByRole('dialog')
  const suggestions = page.getByRole('option')
  await hasFocus(dialog.getByRole('combobox'))
  await page.keyboard.type('card')
  await page.getByRole('option', { name: /^Carding/ }).click()
  await suggestions.first().waitFor({ state: 'detached' })
  await page.keyboard.press('ArrowDown')
  await suggestions.first().waitFor()
  await page.keyboard.type('Spinning')
  await page.keyboard.press('Enter')
  await suggestions.first().waitFor({ state: 'detached' })
  await page.keyboard.type('car')
  await page.getByRole('option', { name: /^Carpets/ }).click()
  await suggestions.first().waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await eventually(async () => assert.deepEqual((await read(id)).tags, ['Carding', 'Carpets', 'Spinning']))
  check()
  await close()
})

test('an import creates a field for an unknown column, and says which values do not fit it', {
  skip: skip || slow,
}, async () => {
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/companies/import`)
  const rows = ['Name;Cohort;Heat', 'Field Firm One;W26;3', 'Field Firm Two;S26;hot']
  const buffer = Buffer.from(rows.join('\n'))
  await page.locator('input[type=file]').setInputFiles({ name: 'f.csv', mimeType: 'text/csv', buffer })
  await page.getByRole('combobox', { name: 'Field for column Heat' }).selectOption('Create field…')
  const type = page.getByRole('combobox', { name: 'Type of the new field for column Heat' })
  await page.getByText('1 new field', { exact: true }).waitFor()
  assert.equal(await type.inputValue(), 'text')
  await type.selectOption('Number')
  const label = page.getByRole('textbox', { name: 'Label of the new field for column Heat' })
  await label.fill('Heat of deal')
  await label.press('Enter')
  await page.getByRole('tab', { name: 'Cells to check' }).click()
  await page.getByText(/^Heat of deal must be a number/).waitFor()
  assert.equal(await page.getByRole('textbox', { name: 'Heat in row 3' }).inputValue(), 'hot')
  await page.getByRole('button', { name: 'Import 2 rows: 2 new' }).click()
  await page.getByText('f.csv was imported.').waitFor()
  const filter = JSON.stringify({ field: 'name', op: 'starts_with', value: 'Field Firm' })
  const { data } = await demo.api.listCompanies({ querystring: { filter, sort: 'name' } })
  assert.deepEqual(
    data.map(({ name, custom }) => [name, custom]),
    [
      ['Field Firm One', { heat_of_deal: 3 }],
      ['Field Firm Two', {}],
    ],
  )
  check()
  await close()
})

test('stages are added and reordered, and a change by someone else is not overwritten', {
  skip,
}, async () => {
  const config = async () => (await demo.api.getStageConfig()).data
  const { stages } = await config()
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/settings/stages`)
  await page.getByRole('button', { name: 'Add stage' }).click()
  await hasFocus(page.getByRole('textbox', { name: `Label of stage ${stages.length + 1}` }))
  await page.keyboard.type('Partner vote')
  await page.getByRole('button', { name: 'Move Partner vote up' }).click()
  await page.getByRole('button', { name: 'Save stages' }).click()
  await page.getByText('Stages saved.').waitFor()
  const keys = (await config()).stages.map(({ key }) => key)
  assert.deepEqual(keys.slice(-2), ['partner_vote', stages.at(-1)?.key])
  await page.getByRole('textbox', { name: 'Default probability of stage 1' }).fill('15')
  await demo.api.putStageConfig({ body: { stages } })
  await page.getByRole('button', { name: 'Save stages' }).click()
  await page.getByText('Someone else changed the stages').waitFor()
  assert.equal((await config()).stages.length, stages.length)
  await page.getByRole('button', { name: 'Use theirs' }).click()
  await page
    .getByRole('textbox', { name: `Label of stage ${stages.length + 1}` })
    .waitFor({ state: 'detached' })
  check()
  await close()
})

test('the screens of fields, tags, and stages are accessible, also at 320 pixels', {
  skip: skip || slow,
}, async () => {
  const { page, check, close } = await openPage({ viewport: { width: 1280, height: 800 } })
  for (const screen of ['fields', 'tags', 'stages']) {
    await page.goto(`${demo.url}/settings/${screen}`)
    await screenLoaded(page)
    await assertAccessible(page, screen, [NARROW])
  }
  await page.goto(`${demo.url}/settings/fields`)
  await page.getByRole('button', { name: 'New field' }).click()
  await page.getByRole('combobox', { name: 'Type' }).selectOption('Multiple choice')
  await transitionsEnded(page)
  await assertAccessible(page, 'the dialog for a new field', [NARROW])
  check()
  await close()
})

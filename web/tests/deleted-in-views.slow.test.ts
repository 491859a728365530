/// <reference lib="dom" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPage, skip } from './browser.ts'
import { withDemo } from './demo.ts'
import { button, isSaved } from './saved-views.ts'

/** A condition that leaves more companies than the window shows. */
const NAMED = { field: 'name', op: 'is_not_empty' } as const

const demo = withDemo()

test('a view says which options no longer exist, by the name of their field', { skip }, async () => {
  const options = [{ label: 'Spring' }, { label: 'Fall' }]
  const { data: field } = await demo.api.createField({
    body: { entity: 'company', label: 'Cohort', key: 'cohort', type: 'select', options },
  })
  const [spring, fall] = field.options
  const filter = { field: 'custom.cohort', op: 'eq' as const, value: spring?.id ?? '' }
  const { data: view } = await demo.api.createView({
    body: { entity: 'company', name: 'Spring', visibility: 'private', filter, sort: [], columns: [] },
  })
  await demo.api.updateField({ params: { id: field.id }, body: { options: fall ? [fall] : [] } })
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/companies?view=${view.id}`)
  await page
    .getByText(
      'This view refers to things that no longer exist: an option of Cohort (filter). The rest of it still works.',
    )
    .waitFor()
  check()
  await close()
})

test('a view keeps working when one of its fields is deleted, even while it is open or at a copied address', {
  skip,
}, async () => {
  const { data: field } = await demo.api.createField({
    body: { entity: 'company', label: 'Doomed', key: 'doomed', type: 'number' },
  })
  const doomed = { field: 'custom.doomed', op: 'is_empty' } as const
  const { data: view } = await demo.api.createView({
    body: {
      entity: 'company',
      name: 'Open',
      filter: { and: [NAMED, doomed] },
      sort: [{ field: doomed.field }],
    },
  })
  const { page, close } = await openPage()
  await page.goto(`${demo.url}/companies?view=${view.id}`)
  await page.waitForURL(/custom\.doomed/)
  await page.locator('tbody tr').first().waitFor()
  const copied = page.url()
  // An unsaved change stays.
  const other = await openPage()
  await other.page.goto(copied)
  await other.page.locator('th[data-field=name] button').first().click()
  await button(other.page, 'Reset').waitFor()
  await demo.api.updateField({ params: { id: field.id }, body: { archived: true } })
  await demo.api.deleteField({ params: { id: field.id }, querystring: { confirm: true } })
  await page.waitForURL((url) => !url.search.includes('custom.doomed'))
  await page.locator('tbody tr').first().waitFor()
  await isSaved(page)
  await other.page.waitForURL(/sort=name/)
  await other.page.waitForURL((url) => !url.search.includes('custom.doomed'))
  await button(other.page, 'Reset').waitFor()
  await other.page.goto(copied)
  await other.page.waitForURL((url) => !url.search.includes('custom.doomed'))
  await other.page.locator('tbody tr').first().waitFor()
  // The list may have sent one more request before it knew.
  for (const opened of [page, other.page])
    await opened.getByText('This list cannot be shown').waitFor({ state: 'detached' })
  await other.close()
  await close()
})

test('a view names each deleted field that it uses once, and the button that removes it is visible', {
  skip,
}, async () => {
  const { data: field } = await demo.api.createField({
    body: { entity: 'company', label: 'Temporary', key: 'temporary', type: 'number' },
  })
  const name = { field: 'custom.temporary' }
  const { data: view } = await demo.api.createView({
    body: {
      entity: 'company',
      name: 'Outdated',
      filter: { and: [NAMED, { ...name, op: 'gt', value: 1 }] },
      sort: [{ ...name, direction: 'desc' }, { field: 'name' }],
      columns: [name, { field: 'status' }],
    },
  })
  await demo.api.updateField({ params: { id: field.id }, body: { archived: true } })
  await demo.api.deleteField({ params: { id: field.id }, querystring: { confirm: true } })
  const { page, check, close } = await openPage({ viewport: { width: 1600, height: 950 } })
  await page.goto(`${demo.url}/companies?view=${view.id}`)
  const notice = page.getByRole('status').filter({ hasText: 'no longer exist' })
  await notice
    .getByText(
      'no longer exist: the field custom.temporary (filter, sort order, and columns). The rest of it still works.',
    )
    .waitFor()
  await page.locator('tbody tr').first().waitFor()
  const remove = notice.getByRole('button', { name: 'Remove from view' })
  for (const width of [1600, 800]) {
    await page.setViewportSize({ width, height: 950 })
    const box = await notice.boundingBox()
    const inner = await remove.boundingBox()
    assert.ok(box && inner && inner.y >= box.y && inner.y + inner.height <= box.y + box.height)
  }
  await remove.click()
  await notice.waitFor({ state: 'detached' })
  await isSaved(page)
  const { missing, filter, columns } = (await demo.api.getView({ params: { id: view.id } })).data
  assert.deepEqual([missing, filter, columns], [[], { and: [NAMED] }, [{ field: 'status' }]])
  check()
  await close()
})

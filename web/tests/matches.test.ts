/// <reference lib="dom" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { ThesisMatch } from '#src/client/client.ts'
import { eventually } from '#src/testing/eventually.ts'
import { slow } from '#src/testing/slow.ts'
import { hasFocus, openPage, requestsEnded, skip } from './browser.ts'
import { withDemo } from './demo.ts'

const demo = withDemo()

/** As the screen shows them. */
const PAGE_SIZE = 20

const toReview = { verdict: 'none', exclude_in_pipeline: true } as const

/** A thesis, and the matches of it that are to be reviewed. */
async function review(): Promise<{ id: string; matches: ThesisMatch[] }> {
  for (const { id } of (await demo.api.listTheses()).data) {
    const querystring = { ...toReview, limit: 20 }
    const { data: matches } = await demo.api.listThesisMatches({ params: { id }, querystring })
    if (matches.length > 4) return { id, matches }
  }
  throw new Error('No thesis has enough matches.')
}

const rejected = async (id: string) => {
  const querystring = { verdict: 'down' } as const
  return (await demo.api.listThesisMatches({ params: { id }, querystring })).data.map((match) => match.id)
}

async function visitMatches(page: Page, id: string): Promise<void> {
  await page.goto(`${demo.url}/theses/${id}?tab=matches`)
  await page.locator('a[data-record]').first().waitFor()
  await requestsEnded(page)
}

const linkOf = (page: Page, { id }: { id: string }) => page.locator(`a[data-record="${id}"]`)

test('z undoes a verdict, and then the change before it', { skip }, async () => {
  const { id, matches } = await review()
  const [first, second] = matches as [ThesisMatch, ThesisMatch]
  const thesisOf = async (company: ThesisMatch) =>
    (await demo.api.getCompany({ params: { id: company.id } })).data.company.thesis_id
  await demo.api.updateCompany({ params: { id: first.id }, body: { thesis_id: null } })
  const { page, check, close } = await openPage()
  await visitMatches(page, id)
  await linkOf(page, first).focus()
  await page.keyboard.press('t')
  await eventually(async () => assert.equal(await thesisOf(first), id))
  await requestsEnded(page)

  await linkOf(page, second).focus()
  await page.keyboard.press('r')
  await page.getByText(`${second.name} rejected.`).waitFor()
  await page.keyboard.press('z')
  await page.getByText('Change undone.').waitFor()
  assert.deepEqual(await rejected(id), [])
  assert.equal(await thesisOf(first), id)
  await linkOf(page, second).waitFor()

  await page.keyboard.press('z')
  await eventually(async () => assert.equal(await thesisOf(first), null))
  assert.deepEqual(await rejected(id), [])
  check()
  await close()
})

test('the notice of a verdict undoes it', { skip: skip || slow }, async () => {
  const { id, matches } = await review()
  const [first] = matches as [ThesisMatch]
  const { page, check, close } = await openPage({ user: 'dora@example.com' })
  await visitMatches(page, id)
  await page.getByRole('button', { name: `Reject ${first.name}`, exact: true }).click()
  await page.getByText(`${first.name} rejected.`).waitFor()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByText('Change undone.').waitFor()
  assert.deepEqual(await rejected(id), [])
  await page.keyboard.press('z')
  await page.getByText('Nothing to undo. Activity lists earlier changes.').waitFor()
  check()
  await close()
})

test('the keys continue at the same position when the focused match leaves the list', {
  skip: skip || slow,
}, async () => {
  const { id, matches } = await review()
  const [first, second] = matches as [ThesisMatch, ThesisMatch]
  const { page, check, close } = await openPage()
  await visitMatches(page, id)
  // Without a focused match, it is not clear which one is meant.
  await page.keyboard.press('r')
  await hasFocus(linkOf(page, first))
  await requestsEnded(page)
  assert.deepEqual(await rejected(id), [])
  // The next ranking leaves out the second match as well, as if it fell off the page.
  await page.route(/\/matches\?/, async (route) => {
    const response = await route.fetch()
    const { data, ...body } = await response.json()
    const kept = data.filter((match: ThesisMatch) => match.id !== second.id)
    await route.fulfill({ response, json: { ...body, data: kept } })
  })
  await page.keyboard.press('r')
  await linkOf(page, second).waitFor({ state: 'detached' })
  const next = page.locator('a[data-record]').first()
  await hasFocus(next)
  const nextId = (await next.getAttribute('data-record')) ?? ''
  await page.keyboard.press('r')
  await eventually(async () => assert.deepEqual((await rejected(id)).sort(), [first.id, nextId].sort()))
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  for (const company_id of [first.id, nextId])
    await demo.api.judgeMatch({ params: { id, company_id }, body: { verdict: null } })
  check()
  await close()
})

test('a company with a new deal leaves the matches without active deals', {
  skip: skip || slow,
}, async () => {
  const { id, matches } = await review()
  const [first, second] = matches as [ThesisMatch, ThesisMatch]
  const { page, check, close } = await openPage()
  await visitMatches(page, id)
  await linkOf(page, first).focus()
  await page.keyboard.press('d')
  await page.getByRole('dialog', { name: 'New deal' }).getByRole('button', { name: 'Create deal' }).click()
  await linkOf(page, first).waitFor({ state: 'detached' })
  // Someone else's deal counts as well.
  await demo.api.createDeal({ body: { company_id: second.id } })
  await linkOf(page, second).waitFor({ state: 'detached' })
  check()
  await close()
})

test('matches show their scores for the thesis, and are ranked by them', { skip }, async () => {
  const { id, matches } = await review()
  const { data: theses } = await demo.api.listTheses()
  const [, , third, elsewhere] = matches as [ThesisMatch, ThesisMatch, ThesisMatch, ThesisMatch]
  const other = theses.find((thesis) => thesis.id !== id)?.id ?? null
  await demo.api.updateCompany({ params: { id: elsewhere.id }, body: { thesis_id: other } })
  const { page, check, close } = await openPage()
  await visitMatches(page, id)
  const card = page.locator('li').filter({ has: linkOf(page, third) })
  assert.equal(await card.getByText('small, ').count(), 0)
  const details = { overall: 97, model: 'small', scored_at: '2026-03-02T09:30:04.000Z', thesis: { id } }
  await demo.api.updateCompany({
    params: { id: third.id },
    body: { llm_score_overall: 97, llm_score_details: details },
  })
  // The list updates, as after a bulk action.
  await card.getByText(/^small, .*2026\. The thesis has changed since\.$/).waitFor()
  await card.getByText('97', { exact: true }).waitFor()
  await page.getByText('By score', { exact: true }).click()
  await eventually(async () =>
    assert.equal(await page.locator('a[data-record]').first().getAttribute('data-record'), third.id),
  )

  // A company of another thesis would be scored against that one.
  const querystring = { ...toReview, limit: 50 }
  const { data: best } = await demo.api.listThesisMatches({ params: { id }, querystring })
  const scorable = best.filter(({ thesis_id }) => thesis_id === null || thesis_id === id)
  assert.ok(scorable.length < best.length && best.length < 50)
  await page.getByRole('button', { name: /^Score the best/ }).click()
  const dialog = page.getByRole('dialog', { name: `Run AI on ${scorable.length} companies` })
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })

  // As if all were linked to another thesis.
  await page.route(/\/matches\?.*filter=/, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), data: [] } })
  })
  await page.getByRole('button', { name: 'Score the best', exact: true }).click()
  await page.getByText('All matches are linked to another thesis').waitFor()
  assert.equal(await page.getByRole('dialog').count(), 0)
  check()
  await close()
})

test('on the page of a company, the keys follow the list that it was opened from', {
  skip: skip || slow,
}, async () => {
  const { id, matches } = await review()
  const [first, second] = matches as [ThesisMatch, ThesisMatch]
  const { page, check, close } = await openPage()
  const isOpen = async (company: { id: string; name: string }) => {
    await page.waitForURL(`**/companies/${company.id}`)
    await page.locator('main h1').getByText(company.name, { exact: true }).waitFor()
    await requestsEnded(page)
  }
  await page.goto(`${demo.url}/theses/${id}?tab=matches`)
  await linkOf(page, first).click()
  await isOpen(first)
  await page.keyboard.press('J')
  await isOpen(second)
  await page.keyboard.press('Escape')
  await page.waitForURL(`**/theses/${id}?tab=matches`)
  await hasFocus(linkOf(page, second))

  // From elsewhere there is no list to follow.
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Command palette' })
  await palette.getByRole('combobox').fill(first.name)
  await palette.getByRole('option', { name: first.name }).first().waitFor()
  await requestsEnded(page)
  await page.keyboard.press('Enter')
  await isOpen(first)
  await page.keyboard.press('J')
  await requestsEnded(page)
  assert.equal(new URL(page.url()).pathname, `/companies/${first.id}`)
  await page.keyboard.press('Escape')
  await page.waitForURL(/\/companies(\?|$)/)
  check()
  await close()
})

test('Escape and Back return from a company to the same page, order, and match', {
  skip: skip || slow,
}, async () => {
  const { id } = await review()
  const querystring = { exclude_in_pipeline: false, verdict: 'none', sort: 'score' } as const
  const { data } = await demo.api.listThesisMatches({
    params: { id },
    querystring: { ...querystring, limit: 3, offset: PAGE_SIZE },
  })
  const [, , third = { id: '' }] = data
  const { page, check, close } = await openPage()
  const isBack = async () => {
    await page.waitForURL(`**/theses/${id}?tab=matches&sort=score&deals=any&page=2`)
    await hasFocus(linkOf(page, third))
    assert.ok(await page.getByRole('radio', { name: 'By score' }).isChecked())
    assert.ok(!(await page.getByRole('checkbox', { name: /active deals/ }).isChecked()))
  }
  await visitMatches(page, id)
  await page.getByText('By score', { exact: true }).click()
  await page.getByRole('checkbox', { name: /active deals/ }).click()
  await page.getByRole('button', { name: 'Page 2', exact: true }).click()
  for (const back of [() => page.keyboard.press('Escape'), () => page.goBack()]) {
    await linkOf(page, third).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/companies/${third.id}`)
    await page.locator('main h1').waitFor()
    await requestsEnded(page)
    await back()
    await isBack()
  }
  await page.getByText('Rejected', { exact: true }).click()
  await page.waitForURL(`**/theses/${id}?tab=matches&sort=score&deals=any&verdict=down`)
  check()
  await close()
})

test('after a deletion on the page of a company, its neighbor has the focus in the list', {
  skip: skip || slow,
}, async () => {
  const { data } = await demo.api.listCompanies({ querystring: { sort: 'name', limit: 5 } })
  const [, , , deleted = { id: '' }, neighbor = { id: '' }] = data
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/companies?sort=name`)
  await linkOf(page, deleted).click()
  await page.waitForURL(`**/companies/${deleted.id}`)
  await page.locator('main h1').waitFor()
  await requestsEnded(page)
  await page.keyboard.press('Delete')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /Move.*trash|Delete/ }).click()
  await page.waitForURL(/\/companies\?/)
  await hasFocus(linkOf(page, neighbor))
  await linkOf(page, deleted).waitFor({ state: 'detached' })
  await hasFocus(linkOf(page, neighbor))
  check()
  await close()
})

test('judging the last match of the last page shows the previous page', { skip: skip || slow }, async () => {
  const { id } = await review()
  const querystring = { ...toReview, limit: PAGE_SIZE + 1 }
  const { data: matches } = await demo.api.listThesisMatches({ params: { id }, querystring })
  assert.equal(matches.length, PAGE_SIZE + 1)
  const judge = (verdict: 'up' | null) =>
    Promise.all(
      matches.map((match) =>
        demo.api.judgeMatch({ params: { id, company_id: match.id }, body: { verdict } }),
      ),
    )
  await judge('up')
  const { page, check, close } = await openPage()
  const links = page.locator('a[data-record]')
  await visitMatches(page, id)
  await page.getByText('Approved', { exact: true }).click()
  await page.getByRole('button', { name: 'Page 2', exact: true }).click()
  await eventually(async () => assert.equal(await links.count(), 1))
  await links.focus()
  await page.keyboard.press('u')
  await eventually(async () => assert.equal(await links.count(), PAGE_SIZE))
  await hasFocus(links.first())
  await judge(null)
  check()
  await close()
})

test('opening a match marks nothing as seen, and leaving the list marks only the matches it was loaded with', {
  skip: skip || slow,
}, async () => {
  const { id, matches } = await review()
  const [first, second, third] = matches as [ThesisMatch, ThesisMatch, ThesisMatch]
  await demo.api.markMatchesSeen({ params: { id } })
  const touch = (company: ThesisMatch, hq_city: string) =>
    demo.api.updateCompany({ params: { id: company.id }, body: { hq_city } })
  const newIds = async () => {
    const querystring = { ...toReview, limit: 100 }
    const { data } = await demo.api.listThesisMatches({ params: { id }, querystring })
    return data.filter(({ is_new }) => is_new).map((match) => match.id)
  }
  for (const company of [first, second]) await touch(company, 'Turku')
  const { page, check, close } = await openPage()
  // The list does not receive changes, either.
  await page.route('**/api/events**', (route) => route.abort())
  await visitMatches(page, id)
  await linkOf(page, first).click()
  await page.waitForURL(`**/companies/${first.id}`)
  await requestsEnded(page)
  await page.keyboard.press('Escape')
  await page.waitForURL(/tab=matches/)
  await requestsEnded(page)
  assert.deepEqual((await newIds()).sort(), [first.id, second.id].sort())

  await touch(third, 'Turku')
  const isMarked = page.waitForResponse(/matches\/seen/)
  await page.getByRole('tab', { name: 'Report' }).click()
  await isMarked
  assert.deepEqual(await newIds(), [third.id])
  check()
  await close()
})

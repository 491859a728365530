/// <reference lib="dom" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { createClient } from '#src/client/client.ts'
import { NotFound } from '#src/client/errors.ts'
import { eventually } from '#src/testing/eventually.ts'
import { assertAccessible, screenLoaded } from './axe.ts'
import { openPage, pressQuickly, skip } from './browser.ts'
import { deck } from './deck.ts'
import { withDemo } from './demo.ts'

const demo = withDemo()

const newCompany = async (name: string) => (await demo.api.createCompany({ body: { name } })).data
const filesOf = async (about: string) => (await demo.api.listFiles({ querystring: { about: [about] } })).data
const card = (page: Page, name: string) => page.locator('[data-file]', { hasText: name })
const panel = (page: Page) => page.getByRole('region', { name: 'Files', exact: true })
const tray = (page: Page) => page.locator('[data-upload-tray]')

async function upload(id: string, name: string, content: string | Buffer<ArrayBuffer>) {
  const form = new FormData()
  form.append('about', JSON.stringify([{ type: 'company', id }]))
  form.append('file', new Blob([content]), name)
  return (await demo.api.uploadFile({ body: form })).data
}

const textRead = (id: string) =>
  eventually(async () => assert.equal((await demo.api.getFile({ params: { id } })).data.text_state, 'done'), {
    timeoutMs: 60_000,
  })

interface Dropped {
  name: string
  text: string
}

/** Drags files over an element, or drops them there, as a browser does with files of other programs. */
const drag = (page: Page, selector: string, type: 'dragover' | 'drop', files: Dropped[]) =>
  page
    .locator(selector)
    .first()
    .evaluate(
      (element, { type, files }) => {
        const dataTransfer = new DataTransfer()
        for (const { name, text } of files) dataTransfer.items.add(new File([text], name))
        element.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
      },
      { type, files },
    )

/** Has the browser leave its own dialog for files to the test, before the first key that opens one. */
const watchPickers = (page: Page) => page.on('filechooser', () => {})

async function pick(page: Page, open: () => Promise<unknown>, name: string, text: string): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await open()
  await (await chooser).setFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
}

test('files are picked and dropped on a company, and the same name becomes a new version', {
  skip,
}, async () => {
  const { id, name } = await newCompany('Filing Looms')
  const { page, check, close } = await openPage()
  watchPickers(page)
  await page.goto(`${demo.url}/companies/${id}`)
  await panel(page).getByText('No files yet.').waitFor()
  await pick(page, () => panel(page).getByRole('button', { name: 'Add file' }).click(), 'Memo.txt', 'First')
  await page.getByText('Memo.txt added.').waitFor()
  await card(page, 'Memo.txt').first().getByText('Text · 5 bytes').waitFor()

  const dropped = [
    { name: 'Memo.txt', text: 'Second' },
    { name: 'Terms.txt', text: 'Terms' },
  ]
  await drag(page, 'main', 'dragover', dropped)
  const overlay = page.locator('[data-drop-overlay]')
  await overlay.getByText(`Drop to add to ${name}`).waitFor()
  await assertAccessible(page, 'the overlay for files')
  await drag(page, '[data-drop-overlay]', 'drop', dropped)
  await overlay.waitFor({ state: 'detached' })
  await page.getByText('Added 2 files.').waitFor()
  await panel(page).locator('[data-file]', { hasText: 'Memo.txt' }).getByText('Version 2').waitFor()
  assert.deepEqual((await filesOf(id)).map((file) => [file.name, file.version]).sort(), [
    ['Memo.txt', 2],
    ['Terms.txt', 1],
  ])
  await drag(page, 'main', 'drop', [{ name: 'Memo.txt', text: 'Third' }])
  await page.getByText('New version of Memo.txt added.').waitFor()
  await drag(page, 'main', 'drop', [{ name: 'Memo.txt', text: 'Third' }])
  await page.getByText('Memo.txt is already here, with the same content.').waitFor()
  assert.equal((await filesOf(id)).find((file) => file.name === 'Memo.txt')?.version, 3)
  await pick(page, () => page.keyboard.press('u'), 'By key.txt', 'By key')
  await card(page, 'By key.txt').first().waitFor()
  const download = page.waitForEvent('download')
  await panel(page).getByRole('button', { name: 'More options for files' }).click()
  await page.getByRole('menuitem', { name: 'Download all as ZIP' }).click()
  assert.equal((await download).suggestedFilename(), `${name} files.zip`)
  await check()
  await close()
})

test('files that are added together have one notice, whose Undo takes back all of them', {
  skip,
}, async () => {
  const { id } = await newCompany('Bundled Looms')
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/companies/${id}`)
  await panel(page).getByText('No files yet.').waitFor()
  const names = ['One.txt', 'Two.txt', 'Three.txt']
  const dropped = [...names, 'Empty.txt'].map((name) => ({ name, text: name === 'Empty.txt' ? '' : name }))
  await drag(page, 'main', 'drop', dropped)
  const notice = page.getByRole('alert').filter({ hasText: 'Added 3 files. Not added: Empty.txt.' })
  await notice.getByRole('button', { name: 'Undo' }).click()
  await panel(page).getByText('No files yet.').waitFor()
  assert.deepEqual(await filesOf(id), [])
  await page.getByRole('button', { name: 'Redo' }).click()
  await eventually(async () =>
    assert.deepEqual((await filesOf(id)).map(({ name }) => name).sort(), [...names].sort()),
  )
  await page.getByText('Changes to 3 records undone.').waitFor()
  await page.keyboard.press('z')
  await panel(page).getByText('No files yet.').waitFor()
  await check()
  await close()
})

test('an upload can be canceled and tried again, and says why it failed', { skip }, async () => {
  const { id } = await newCompany('Slow Looms')
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/companies/${id}`)
  await panel(page).getByText('No files yet.').waitFor()
  let held: Route | undefined
  await page.route('**/api/files', (route) => {
    held = route
  })
  await drag(page, 'main', 'drop', [
    { name: 'Slow.txt', text: 'Slow' },
    { name: 'Later.txt', text: 'Later' },
  ])
  await tray(page).getByRole('heading', { name: 'Adding 2 files' }).waitFor()
  await tray(page).getByRole('progressbar', { name: 'Slow.txt' }).waitFor({ state: 'attached' })
  await tray(page).getByText('Waiting').waitFor()
  await assertAccessible(page, 'uploads')
  await tray(page).getByRole('button', { name: 'Cancel: Slow.txt' }).click()
  await tray(page).getByText('Slow.txt').waitFor({ state: 'detached' })
  await eventually(() => assert.match(held?.request().postData() ?? '', /Later/))
  const details = 'All files together have 10 GB, which is what FILES_MAX_GB allows. Delete some.'
  await held?.fulfill({ status: 507, json: { error: 'Insufficient storage', details } })
  const alert = tray(page).getByRole('alert')
  await alert.getByText(details).waitFor()
  await tray(page).getByRole('heading', { name: '1 file not added' }).waitFor()
  assert.deepEqual(await filesOf(id), [])
  await page.unroute('**/api/files')
  await alert.getByRole('button', { name: 'Try again: Later.txt' }).click()
  await card(page, 'Later.txt').first().waitFor()
  await tray(page).waitFor({ state: 'detached' })
  assert.deepEqual(
    (await filesOf(id)).map((file) => file.name),
    ['Later.txt'],
  )
  await check()
  await close()
})

/** How many pixels of the page that is drawn are not white. */
const inkOf = (page: Page) =>
  page.locator('[data-drawn] canvas').evaluate((canvas: HTMLCanvasElement) => {
    const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] }
    let ink = 0
    for (let at = 0; at < data.length; at += 4) if ((data[at] ?? 255) < 200) ink++
    return ink
  })

test('a PDF is drawn page by page, and the words of a search are marked', { skip }, async () => {
  const { id } = await newCompany('Drawing Looms')
  const file = await upload(id, 'Looms deck.pdf', await deck('Looms deck', 5))
  await textRead(file.id)
  const { page, check, close } = await openPage()
  const address = `${demo.url}/files/${file.id}`
  await page.goto(address)
  await page.locator('[data-drawn] canvas[aria-label="Page 1 of 5"]').waitFor()
  assert.ok((await inkOf(page)) > 5_000)
  await page.keyboard.press('n')
  await page.waitForURL(`${address}?page=2`)
  await page.locator('[data-drawn] canvas[aria-label="Page 2 of 5"]').waitFor()
  assert.ok((await inkOf(page)) > 5_000)
  await page.getByText('Looms deck: page2word').waitFor()
  await page.getByLabel('Page', { exact: true }).fill('5')
  await page.keyboard.press('Enter')
  await page.locator('[data-drawn] canvas[aria-label="Page 5 of 5"]').waitFor()
  assert.ok(await page.getByRole('button', { name: 'Next page' }).isDisabled())
  await page.getByLabel('Zoom').selectOption('Whole page')
  await page.locator('[data-drawn] canvas').waitFor()
  await screenLoaded(page)
  await assertAccessible(page, 'a PDF')

  await page.goto(`${demo.url}/files`)
  await page.getByRole('searchbox', { name: 'Search files' }).fill('page3word')
  await page.getByRole('link', { name: /^Page 3/ }).click()
  await page.waitForURL(`${address}?page=3&search=page3word`)
  await page.locator('[data-drawn] mark', { hasText: 'page3word' }).waitFor()
  await page.getByRole('tab', { name: 'Text' }).click()
  await page.locator('[data-page="3"] mark', { hasText: 'page3word' }).waitFor()
  await screenLoaded(page)
  await assertAccessible(page, 'the text of a PDF')
  await page.getByRole('button', { name: 'Clear highlights' }).click()
  await page.locator('[data-page="3"] mark').waitFor({ state: 'detached' })

  await page.goto(`${demo.url}/home`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('page4word')
  const option = page.getByRole('option', { name: /Looms deck\.pdf/ })
  await option.getByText('Page 4').waitFor()
  await option.click()
  await page.waitForURL(`${address}?page=4&search=page4word`)
  await page.locator('[data-drawn] canvas[aria-label="Page 4 of 5"]').waitFor()
  await check()
  await close()
})

test('an earlier version opens like the current one, and leads back to it', { skip }, async () => {
  const { id } = await newCompany('Versioned Looms')
  const file = await upload(id, 'Plan.txt', 'The first plan')
  await upload(id, 'Plan.txt', await deck('Plan', 2))
  await upload(id, 'Plan.txt', 'The third plan')
  await textRead(file.id)
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/files/${file.id}`)
  await page.getByText('The third plan').waitFor()
  await page.getByRole('link', { name: 'Version 1', exact: true }).click()
  await page.getByText('You are viewing version 1 of 3').waitFor()
  await page.getByText('The first plan').waitFor()
  await page.getByRole('link', { name: 'Version 2', exact: true }).click()
  await page.locator('[data-drawn] canvas[aria-label="Page 1 of 2"]').waitFor()
  await page.keyboard.press('n')
  await page.waitForURL(/version=2/)
  await page.locator('[data-drawn] canvas[aria-label="Page 2 of 2"]').waitFor()
  await page.getByRole('link', { name: 'Download version 2' }).first().waitFor()
  await assertAccessible(page, 'an earlier version')
  await page.getByRole('link', { name: 'Back to the current version (3)' }).click()
  await page.getByText('The third plan').waitFor()
  assert.equal(await page.getByText('You are viewing').count(), 0)
  await check()
  await close()
})

test('a file with a script in it runs none, and is not shown', { skip }, async () => {
  const { id } = await newCompany('Active Looms')
  const active = '<svg xmlns="http://www.w3.org/2000/svg"><script>window.top.ran = true</script></svg>'
  const file = await upload(id, 'Logo.svg', active)
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/files/${file.id}`)
  await page.getByRole('heading', { name: 'Logo.svg' }).waitFor()
  await screenLoaded(page)
  assert.equal(await page.locator('main img, main iframe, main object, main embed').count(), 0)
  assert.equal(await page.evaluate(() => 'ran' in window), false)
  await check()
  await close()
})

test('a private file is seen by its owner alone, and deleting can be undone', { skip }, async () => {
  const { id } = await newCompany('Private Looms')
  const file = await upload(id, 'Secret.txt', 'A secret')
  const ben = createClient({ baseUrl: demo.url, headers: { 'x-user-email': 'ben@example.com' } })
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/companies/${id}`)
  const options = () => panel(page).getByRole('button', { name: 'Options for Secret.txt' }).click()
  await options()
  await page.getByRole('menuitem', { name: 'Make private' }).click()
  await panel(page).getByText('Private', { exact: true }).waitFor()
  await page.getByText('Only you can see Secret.txt now.').waitFor()
  await assert.rejects(ben.getFile({ params: { id: file.id } }), NotFound)
  await page.goto(`${demo.url}/files?private=true&about=${id}`)
  await page.getByText('1 file', { exact: true }).waitFor()

  await page.goto(`${demo.url}/companies/${id}`)
  await options()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  const dialog = page.getByRole('dialog', { name: 'Rename file' })
  await dialog.getByLabel('Name').fill(' ')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Enter a name.').waitFor()
  await dialog.getByLabel('Name').fill('Open secret.txt')
  await page.keyboard.press('Enter')
  await card(page, 'Open secret.txt').first().waitFor()

  await panel(page).getByRole('button', { name: 'Options for Open secret.txt' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByText('Open secret.txt moved to the trash.').waitFor()
  await panel(page).getByText('No files yet.').waitFor()
  assert.deepEqual(await filesOf(id), [])
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await card(page, 'Open secret.txt').first().waitFor()
  assert.equal((await filesOf(id)).length, 1)
  await check()
  await close()
})

test('a file dropped on the board or picked in the palette asks for its record', { skip }, async () => {
  const company = await newCompany('Board Looms')
  const body = { company_id: company.id, stage: 'meeting', source: 'Board Looms' } as const
  const { data: deal } = await demo.api.createDeal({ body })
  const filter = JSON.stringify({ field: 'source', op: 'eq', value: 'Board Looms' })
  const { page, check, close } = await openPage()
  watchPickers(page)
  await page.goto(`${demo.url}/pipeline?filter=${encodeURIComponent(filter)}`)
  await page.locator('article', { hasText: 'Board Looms' }).waitFor()
  await drag(page, 'article', 'dragover', [{ name: 'Deck.txt', text: 'Deck' }])
  await page.getByText('Drop to add to the deal with Board Looms').waitFor()
  await drag(page, 'article', 'drop', [{ name: 'Deck.txt', text: 'Deck' }])
  const dialog = page.getByRole('dialog', { name: 'Add Deck.txt' })
  await dialog.getByText('Deal with Board Looms').waitFor()
  await assertAccessible(page, 'the question for a record')
  await dialog.getByRole('switch', { name: 'Private' }).click()
  await dialog.getByRole('button', { name: 'Add 1 file' }).click()
  await page.getByText('Deck.txt added.').waitFor()
  const [added] = await filesOf(deal.id)
  assert.deepEqual([added?.name, added?.visibility], ['Deck.txt', 'private'])

  await pressQuickly(page, 'g', 'f')
  await page.getByRole('heading', { level: 1, name: 'Files' }).waitFor()
  await drag(page, 'main', 'dragover', [{ name: 'Other.txt', text: 'Other' }])
  await page.getByText('You choose the company, deal, person, or thesis next.').waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('add files')
  await page.getByRole('option', { name: 'Add files…' }).waitFor()
  await pick(page, () => page.keyboard.press('Enter'), 'Other.txt', 'Other')
  const asked = page.getByRole('dialog', { name: 'Add Other.txt' })
  await asked.getByRole('button', { name: 'Add 1 file' }).click()
  await asked.getByText('Select at least one company, person, deal, or thesis.').waitFor()
  await asked.getByLabel('About').fill('Board Looms')
  await page.getByRole('option', { name: /^Board Looms/ }).click()
  await page.keyboard.press('Escape')
  await asked.getByRole('button', { name: 'Add 1 file' }).click()
  await card(page, 'Other.txt').waitFor()
  await check()
  await close()
})

/** The contrast of two opaque colors, as WCAG defines it. */
function contrast(...colors: [string, string]): number {
  const [light = 0, dark = 0] = colors
    .map((color) => {
      const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).map((part) => {
        const share = Number(part) / 255
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    })
    .sort((one, other) => other - one)
  return (light + 0.05) / (dark + 0.05)
}

test('files fit on a phone, and in the dark', { skip }, async () => {
  const { id } = await newCompany('Small Looms')
  const file = await upload(id, `${'A very long name of a deck '.repeat(6)}.pdf`, await deck('Small', 2))
  const email = [
    'From: a@looms.example',
    'To: b@looms.example',
    'Subject: Our looms',
    'Date: Mon, 02 Mar 2026 10:00:00 +0000',
  ]
  const letter = await upload(id, 'Letter.eml', `${email.join('\r\n')}\r\n\r\nThe looms are ready.\r\n`)
  await textRead(letter.id)
  const { page, check, close } = await openPage({
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
  })
  const fits = async () => {
    const [inner, whole] = await page.evaluate(() => [innerWidth, document.documentElement.scrollWidth])
    assert.ok((whole ?? 0) <= (inner ?? 0), `${page.url()}: ${whole} > ${inner}`)
  }
  for (const address of [
    `/files?about=${id}`,
    `/files/${file.id}?page=2`,
    `/files/${letter.id}`,
    `/companies/${id}#about`,
  ]) {
    await page.goto(demo.url + address)
    await screenLoaded(page)
    if (address.includes('page=2')) await page.locator('[data-drawn] canvas').waitFor()
    await fits()
    await assertAccessible(page, address)
  }
  await page.goto(`${demo.url}/files/${letter.id}`)
  await page.getByRole('region', { name: 'Our looms' }).getByText('a@looms.example').waitFor()
  await page.getByText('The looms are ready.').waitFor()
  assert.equal(await page.getByText('a@looms.example').count(), 1, 'the header is shown once')
  await page.goto(`${demo.url}/files?about=${id}`)
  await page.waitForFunction(() => document.activeElement?.matches('a[data-record]'))
  const hasRing = () => page.evaluate(() => document.activeElement?.matches(':focus-visible'))
  assert.equal(await hasRing(), false, 'without a key, the list has no ring')
  await page.keyboard.press('j')
  await eventually(async () => assert.equal(await hasRing(), true))
  await page.goto(`${demo.url}/files?about=${id}&q=looms`)
  const mark = page.locator('mark').first()
  await mark.waitFor()
  const [marked, around, text] = await mark.evaluate((element) => {
    const styles = [element, document.body].map((one) => getComputedStyle(one))
    return [styles[0]?.backgroundColor, styles[1]?.backgroundColor, styles[0]?.color].map(String)
  })
  assert.ok(contrast(marked ?? '', around ?? '') >= 3, `${marked} on ${around}`)
  assert.ok(contrast(text ?? '', marked ?? '') >= 4.5, `${text} on ${marked}`)
  await check()
  await close()
})

/// <reference lib="dom" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPage, requestsEnded, skip } from './browser.ts'
import { withDemo } from './demo.ts'
import { HOSTILE } from './hostile-markdown.ts'

const demo = withDemo()
const NOTES_PER_PAGE = 20

test('hostile Markdown in notes runs nothing, loads nothing, and leads nowhere', { skip }, async () => {
  const { id } = (await demo.api.createCompany({ body: { name: 'Hostile Notes' } })).data
  const about = [{ type: 'company' as const, id }]
  for (const body of HOSTILE) await demo.api.createNote({ body: { body, title: body.slice(0, 300), about } })
  const { page, check, close } = await openPage()
  const foreign: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(demo.url)) foreign.push(request.url())
  })
  page.on('dialog', (dialog) => foreign.push(`dialog ${dialog.message()}`))
  page.context().on('page', (opened) => foreign.push(`window ${opened.url()}`))
  let shown = 0
  for (let number = 1; number <= Math.ceil(HOSTILE.length / NOTES_PER_PAGE); number++) {
    const address = `${demo.url}/notes${number > 1 ? `?page=${number}` : ''}`
    await page.goto(address)
    await page.locator('[data-compact]').first().waitFor()
    await requestsEnded(page)
    const found = await page.locator('[data-compact]').evaluateAll((documents) => {
      const bad: string[] = []
      for (const element of documents.flatMap((document) => [
        ...document.querySelectorAll<HTMLElement>('*'),
      ])) {
        if (
          /^(?:script|img|svg|math|iframe|object|embed|form|button|style|link|meta|base|video|audio)$/i.test(
            element.localName,
          )
        )
          bad.push(element.outerHTML)
        for (const { name, value } of element.attributes)
          if (/^on|^style$|^srcdoc$|^formaction$|^id$/i.test(name)) bad.push(`${name}=${value}`)
        const href = element.getAttribute('href')
        const isOutside = /^(?:https?:\/\/(?:www\.)?(?:x|hostile)\.example|mailto:)/.test(href ?? '')
        if (href !== null && (!isOutside || element.getAttribute('rel') !== 'noopener noreferrer'))
          bad.push(href)
        if (href === null) element.click()
        for (const type of ['mouseover', 'focus', 'toggle']) element.dispatchEvent(new Event(type))
      }
      return { bad, documents: documents.length }
    })
    assert.deepEqual(found.bad, [])
    shown += found.documents
    assert.equal(await page.evaluate(() => (window as { hit?: number }).hit), undefined)
    assert.equal(page.url(), address)
  }
  assert.ok(shown >= HOSTILE.length, `${shown} notes`)
  assert.deepEqual(foreign, [])
  check()
  await close()
})

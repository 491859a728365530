/// <reference lib="dom" />
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible, screenLoaded } from './axe.ts'
import { openPage, skip } from './browser.ts'
import { withDemo } from './demo.ts'

const NARROW = { width: 390, height: 844 }
const demo = withDemo()

test('pages say who knows a company and a person, and lead to a brief', { skip }, async () => {
  const company = (await demo.api.createCompany({ body: { name: 'Known Looms' } })).data
  const person = (await demo.api.createPerson({ body: { name: 'Wanda Weaver' } })).data
  await demo.api.linkPerson({ params: { id: company.id, person_id: person.id }, body: { role: 'CEO' } })
  const day = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
  for (const [kind, days] of [
    ['meeting', 2],
    ['meeting', 9],
    ['call', 20],
  ] as const)
    await demo.api.createNote({
      body: {
        ...{ kind, body: `A ${kind} about *looms*.`, happened_at: day(days), participants: [person.id] },
        about: [{ type: 'company', id: company.id }],
      },
    })
  const { page, check, close } = await openPage()
  await page.goto(`${demo.url}/companies/${company.id}`)
  const known = page.getByRole('region', { name: 'Who knows them' })
  await known
    .getByText(
      /^Warmest path: .+ had 2 meetings in the last year with Wanda Weaver \(CEO\), last contact in /,
    )
    .waitFor()
  await known.getByText(/^3 contacts in the last year · /).waitFor()
  await screenLoaded(page)
  await page.getByRole('link', { name: 'Brief', exact: true }).click()
  await page.getByRole('heading', { name: 'Known Looms', level: 1 }).waitFor()
  const main = page.getByRole('main')
  await main.getByRole('heading', { name: 'Who knows them' }).waitFor()
  await main.getByText(/A call about looms\./).waitFor()
  await assertAccessible(page, 'brief', [NARROW])
  await page.goto(`${demo.url}/people/${person.id}`)
  await page
    .getByRole('region', { name: 'Who knows them' })
    .getByText(/^3 contacts in the last year · /)
    .waitFor()
  await page.goto(`${demo.url}/companies?sort=-contacts_last_year`)
  await page.getByRole('link', { name: 'Known Looms' }).first().waitFor()
  const fields = (await demo.api.listFields({ querystring: { entity: 'person' } })).data
  assert.ok(fields.some(({ name }) => name === 'last_contact_at'))
  await check()
  await close()
})

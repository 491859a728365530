/// <reference lib="dom" />
import assert from 'node:assert/strict'
import { createReadStream, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { readArchive } from '#src/features/backups/index.ts'
import type { Role } from '#src/platform/http/security/permissions.ts'
import { builtWebApp } from '#src/platform/http/web-app.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { bearer, type Headers, sessionCookieOf, userWithRole } from '#src/testing/credentials.ts'
import { freePort } from '#src/testing/free-port.ts'
import { slow } from '#src/testing/slow.ts'
import { assertAccessible, screenLoaded } from './axe.ts'
import { type OpenPage, openPage, skip, transitionsEnded, withBrowser } from './browser.ts'
import { buildWebApp } from './demo.ts'

const NARROW = { width: 360, height: 900 }

/** For visual review. Ignored by git. */
const SCREENSHOTS = path.join(import.meta.dirname, '..', 'screenshots')

const admin = 'admin@example.com'
const asAdmin = { headers: { 'x-user-email': admin } }
let api: TestApp
let url: string
let company: string
let thesis: string
before(async () => {
  if (skip) return
  buildWebApp()
  mkdirSync(SCREENSHOTS, { recursive: true })
  const port = await freePort()
  url = `http://localhost:${port}`
  api = await testApp(
    { ENFORCE_ROLES: 'true', ADMIN_EMAILS: admin, PUBLIC_URL: url },
    { webFolder: builtWebApp() },
  )
  await api.app.listen({ port, host: 'localhost' })
  company = await created('/api/companies', {
    name: 'Northwind Robotics',
    hq_city: 'Oslo',
    financials: { 2024: { revenue_eur: 1_000_000 } },
    executives: [{ name: 'Grace Park', title: 'CEO' }],
  })
  thesis = await created('/api/theses', { code: 'RB', title: 'Robots', report_markdown: '# Why\n\nNow.' })
  await created('/api/dealflow', { company_id: company, notes: 'Met the team.' })
})
withBrowser()
after(() => api?.close())

/** Creates a record as the admin, and returns its id. */
async function created(address: string, body: object): Promise<string> {
  const answer = await api.call('POST', address, body, asAdmin)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body.data.id
}

interface SignedIn extends OpenPage {
  /** The cookie of the session. */
  headers: Headers
}

/** Opens a page with a new session of a user with this role. */
async function signedIn(email: string, role: Role, options: object = {}): Promise<SignedIn> {
  await userWithRole(api, email, role)
  const headers = await sessionCookieOf(api, email)
  const opened = await openPage({ user: null, ...options })
  const value = String(headers.cookie).slice('service_session='.length)
  await opened.page.context().addCookies([{ name: 'service_session', value, url }])
  return { ...opened, headers }
}

const statusOf = async (headers: Headers): Promise<number> =>
  (await fetch(`${url}/api/stats`, { headers })).status

test('a new user creates a key, uses it, and revokes it', { skip }, async () => {
  const { page, check, close } = await signedIn('ben@example.com', 'member')
  await page.goto(`${url}/settings`)
  await page.getByRole('link', { name: 'API keys' }).click()
  await page.getByRole('heading', { name: 'No API keys' }).waitFor()
  await page.getByRole('button', { name: 'New API key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await dialog.getByText('Enter a name.').waitFor()
  assert.equal(await dialog.getByRole('checkbox', { name: 'Worker' }).count(), 0)
  assert.deepEqual(await dialog.getByLabel('Role').locator('option').allTextContents(), ['Viewer', 'Member'])
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Nightly export')
  await dialog.getByRole('checkbox', { name: 'Export' }).check()
  await page.keyboard.press('Enter')
  const shown = dialog.getByRole('textbox', { name: 'API key' })
  await shown.waitFor()
  const key = await shown.inputValue()
  assert.match(key, /^dp_/)
  await dialog.getByText(`Authorization: Bearer ${key}" ${url}/api/stats`).waitFor()
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.equal(await statusOf(bearer(key)), 200)

  await page.getByText('Nightly export').waitFor()
  assert.equal((await page.content()).includes(key), false)
  await page.getByRole('button', { name: 'Revoke Nightly export' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click()
  await page.getByRole('heading', { name: 'No API keys' }).waitFor()
  assert.equal(await statusOf(bearer(key)), 401)
  check()
  await close()
})

test('a user ends their other sessions', { skip }, async () => {
  const { page, headers, check, close } = await signedIn('cleo@example.com', 'viewer')
  const other = { ...(await sessionCookieOf(api, 'cleo@example.com')), 'user-agent': 'curl/8.0' }
  assert.equal(await statusOf(headers), 200)
  assert.equal(await statusOf(other), 200)
  await api.context.flushUses()
  await page.goto(`${url}/settings/sessions`)
  await page.getByRole('row', { name: /This session/ }).waitFor()
  await page.getByRole('button', { name: 'End the session of curl 8' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click()
  await page.getByRole('row', { name: /curl 8/ }).waitFor({ state: 'detached' })
  assert.equal(await statusOf(other), 401)

  const third = await sessionCookieOf(api, 'cleo@example.com')
  assert.equal(await statusOf(third), 200)
  await api.context.flushUses()
  await page.reload()
  await page.getByRole('button', { name: 'End all other sessions' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End all other sessions' }).click()
  await page.getByText('All other sessions ended.').waitFor()
  assert.deepEqual([await statusOf(third), await statusOf(headers)], [401, 200])
  check()
  await close()
})

test('an admin disables a user, whose open tab loses its session', { skip }, async () => {
  const dora = await signedIn('dora@example.com', 'member')
  await dora.page.goto(`${url}/companies`)
  await dora.page.getByText('Northwind Robotics').first().waitFor()
  const added = await dora.page.evaluate(async () => {
    const { data } = await (await fetch('/api/companies?limit=1')).json()
    const about = JSON.stringify([{ type: 'company', id: data[0].id }])
    const form = new FormData()
    form.append('about', about)
    form.append('visibility', 'private')
    form.append('file', new Blob(['Terms']), 'Terms.txt')
    const note = `{"body": "My view", "visibility": "private", "about": ${about}}`
    const headers = { 'content-type': 'application/json' }
    const answers = [
      await fetch('/api/notes', { method: 'POST', headers, body: note }),
      await fetch('/api/files', { method: 'POST', body: form }),
    ]
    return answers.map(({ status }) => status)
  })
  assert.deepEqual(added, [201, 201])

  const { page, check, close } = await signedIn(admin, 'admin')
  await page.goto(`${url}/home`)
  await page.getByRole('link', { name: 'Users', exact: true }).click()
  await page.getByRole('searchbox', { name: 'Search users' }).fill('DORA')
  await page.getByText(/^1 of \d+ users$/).waitFor()
  await page.getByRole('button', { name: 'Disable dora@example.com' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disable user' }).click()
  await page.getByRole('button', { name: 'Enable dora@example.com' }).waitFor()

  await dora.page.getByRole('heading', { name: 'Your session has ended' }).waitFor()
  await dora.page.getByRole('link', { name: 'Sign in again' }).waitFor()
  await dora.close()

  await page.getByRole('button', { name: 'Transfer private records of dora@example.com' }).click()
  await page.getByLabel('New owner').selectOption(admin)
  await page.getByRole('dialog').getByRole('button', { name: 'Transfer' }).click()
  await page.getByText(`Transferred 1 note and 1 file to ${admin}.`).waitFor()

  await page.getByRole('searchbox', { name: 'Search users' }).fill(admin)
  await page.getByLabel(`Role of ${admin}`).selectOption('member')
  await page.getByRole('dialog').getByRole('button', { name: 'Change role' }).click()
  await page
    .getByRole('alert')
    .getByText(/is the last admin/)
    .waitFor()
  check()
  await close()
})

/** Actions that only members and higher roles may take, on any screen. */
const WRITE_ACTIONS =
  /^(New|Import|Edit|Run AI|Add|Remove|Score [ca]|Drag|Move|Enrich|Delete|Select companies$)/

test('a viewer is offered no write action, on no screen', { skip: skip || slow }, async () => {
  const offered = async ({ page }: OpenPage, screens: string[]) => {
    const actions: string[] = []
    for (const screen of screens) {
      await page.goto(url + screen)
      await screenLoaded(page)
      for (const kind of ['button', 'link'] as const)
        for (const element of await page.locator('main').getByRole(kind, { name: WRITE_ACTIONS }).all())
          actions.push(
            `${screen}: ${(await element.textContent()) || (await element.getAttribute('aria-label'))}`,
          )
      await page.keyboard.press('Control+k')
      const options = page.getByRole('dialog', { name: 'Command palette' }).getByRole('option')
      await options.first().waitFor()
      for (const option of await options.allInnerTexts())
        if (WRITE_ACTIONS.test(option)) actions.push(`${screen}: ${option}`)
    }
    return actions
  }
  const member = await signedIn('mia@example.com', 'member')
  const screens = ['/companies', `/companies/${company}`, '/pipeline', '/theses', `/theses/${thesis}`]
  const ofMember = (await offered(member, screens.slice(0, 3))).join('\n')
  for (const action of ['New company', 'Edit HQ city', 'Run AI', 'Run AI: Score', 'Add', 'New deal'])
    assert.match(ofMember, new RegExp(action))
  await member.close()

  const viewer = await signedIn('vera@example.com', 'viewer')
  assert.deepEqual(
    await offered(viewer, [...screens, '/bulk-actions', '/settings/fields', '/settings/stages']),
    [],
  )
  const { page } = viewer
  await page.goto(`${url}/companies/${company}`)
  await page.getByText('Oslo').first().waitFor()
  await page.goto(`${url}/pipeline`)
  await page.getByRole('button', { name: 'Open the deal' }).or(page.locator('[data-deal]')).first().click()
  assert.equal(await page.getByRole('textbox', { name: 'Summary' }).getAttribute('readonly'), '')
  for (const [screen, reason] of [
    ['/companies/import', 'You need permission to import records.'],
    ['/admin/users', 'You need permission to manage users.'],
    ['/admin/audit', 'You need permission to read the audit log.'],
    ['/admin/backups', 'You need permission to make backups.'],
  ]) {
    await page.goto(url + screen)
    await page.getByText(reason ?? '').waitFor()
  }
  assert.equal(await page.getByRole('link', { name: 'Audit log' }).count(), 0)

  // A page that was loaded before the role changed follows it, without a reload.
  const events = page.waitForResponse(/\/api\/events$/)
  await page.goto(`${url}/theses`)
  await events
  await page.locator('main h1').waitFor()
  await userWithRole(api, 'vera@example.com', 'member')
  await page.getByRole('button', { name: 'New thesis' }).waitFor()
  await viewer.close()
})

test('a member cannot delete a file with an infected version, and reads who can', { skip }, async () => {
  const fay = 'fay@example.com'
  const { page, check, close } = await signedIn(fay, 'member')
  for (const text of ['An infected deck', 'A clean deck']) {
    const form = new FormData()
    form.append('about', JSON.stringify([{ type: 'company', id: company }]))
    form.append('file', new Blob([text]), 'Deck.txt')
    const answer = await fetch(`${url}/api/files`, {
      ...{ method: 'POST', headers: { 'x-user-email': fay }, body: form },
    })
    assert.equal(answer.status, 201, await answer.text())
  }
  await sql`update file_versions set scan_state = 'infected' where version = 1`.execute(api.context.db)
  const menu = async (opened: typeof page) => {
    await opened.goto(`${url}/files`)
    await opened.getByText('An earlier version is in quarantine because of a virus.').waitFor()
    await opened.getByRole('button', { name: 'Options for Deck.txt' }).click()
    return opened.getByRole('menuitem', { name: /^Delete/ })
  }
  const remove = await menu(page)
  await remove.getByText('Ask a partner or admin to delete it.').waitFor()
  assert.ok(await remove.isDisabled())
  check()
  await close()
  const partner = await signedIn('pat@example.com', 'partner')
  await (await menu(partner.page)).click()
  await partner.page.getByText('Deck.txt moved to the trash.').waitFor()
  await partner.close()
})

test('an admin finds an entry of the audit log, reads its details, and downloads the log', {
  skip,
}, async () => {
  await userWithRole(api, 'eli@example.com', 'viewer')
  const headers = { 'x-user-email': 'eli@example.com' }
  assert.equal((await api.call('POST', '/api/companies', { name: 'X' }, { headers })).status, 403)
  await api.context.audit.flush()
  const { page, check, close } = await signedIn(admin, 'admin')
  await page.goto(`${url}/admin/audit?event=permission_denied`)
  await page.getByRole('textbox', { name: 'User' }).fill('eli@example.com')
  await page.waitForURL(/user_email=eli/)
  await page.getByText('1 entry', { exact: true }).waitFor()
  await page.getByRole('button', { name: /^Details of Permission denied/ }).click()
  await page.getByText('"method": "POST"').waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  const file = readFileSync(await (await download).path(), 'utf8')
  assert.match(file, /^id,at,event,.*\r\n.*permission_denied,eli@example\.com/)
  assert.equal(file.trim().split('\r\n').length, 2)
  await page.getByLabel('From').fill('2199-01-01 00:00')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'No matching entries' }).waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('row').nth(1).waitFor()
  check()
  await close()
})

test('the screens for access are accessible and fit, also at 360 pixels', {
  skip: skip || slow,
}, async () => {
  const { page, headers, check, close } = await signedIn(admin, 'admin', {
    viewport: { width: 1280, height: 900 },
  })
  const expired = new Date(Date.now() + 3_600_000).toISOString()
  const body = { name: 'Warehouse sync', scopes: ['read', 'export'], expires_at: expired }
  await api.call('POST', '/api/keys', body, asAdmin)
  assert.equal(await statusOf(headers), 200)
  await api.context.flushUses()
  for (const screen of ['/settings/sessions', '/settings/keys', '/admin/users', '/admin/audit']) {
    await page.goto(url + screen)
    await screenLoaded(page)
    const name = `access${screen.replaceAll('/', '-')}`
    await page.screenshot({ path: path.join(SCREENSHOTS, `${name}.png`) })
    await assertAccessible(page, name, [NARROW])
  }
  await page.goto(`${url}/settings/keys`)
  await page.getByRole('button', { name: 'New API key' }).click()
  await page.getByRole('textbox', { name: 'Name' }).waitFor()
  await transitionsEnded(page)
  await page.screenshot({ path: path.join(SCREENSHOTS, 'access-new-key.png') })
  await assertAccessible(page, 'new key', [NARROW])
  check()
  await close()
})

test('an admin sees scheduled backups and downloads one', { skip }, async () => {
  const { db } = api.context
  await sql`
    insert into backup_runs (due_at, state, started_at, finished_at, claimed_until, name, bytes, rows, files, error)
    values ('2026-03-02T03:00Z', 'completed', now(), now(), now(), 'deal-pipeline-2026-03-02T0300Z.backup', 1240583, 3849, 720, null),
      ('2026-03-03T03:00Z', 'failed', now(), now(), now(), null, null, null, null, 'The bucket is full.')`.execute(
    db,
  )
  const { page, close } = await signedIn(admin, 'admin')
  await page.goto(`${url}/admin/backups`)
  await page.getByText('deal-pipeline-2026-03-02T0300Z.backup').waitFor()
  await page.getByText('3,849 rows, 720 files').waitFor()
  await page.getByText('The bucket is full. It is tried again after 15 minutes.').waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download a backup' }).click()
  const file = await (await download).path()
  const { header } = await readArchive(createReadStream(file), undefined)
  assert.equal(header.product, 'deal-pipeline')
  await close()
})

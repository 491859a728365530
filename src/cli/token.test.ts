import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { decodeJwt } from 'jose'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { runCommandLine } from '#src/testing/command-line.ts'
import { testServer } from '#src/testing/database.ts'
import { PRODUCTION } from '#src/testing/settings.ts'
import { slow } from '#src/testing/slow.ts'

let api: TestApp
let url: string
let folder: string
before(async () => {
  api = await testApp({ ...PRODUCTION, PUBLIC_URL: 'http://localhost:3000' })
  url = await api.app.listen({ port: 0, host: '127.0.0.1' })
  folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-token-'))
})
after(async () => {
  await api.close()
  await rm(folder, { recursive: true, force: true })
})

/** Runs the command line in its own folder, without the environment of the test. */
const run = (words: string[], env: Record<string, string> = {}) => runCommandLine(words, { cwd: folder, env })

const { SESSION_SECRET, ...others } = PRODUCTION

test('a token signs in a script in production for the given time', async () => {
  const made = await run(['token', '--email', 'Script@Example.com', '--expires', '30d'], PRODUCTION)
  assert.equal(made.status, 0, made.errors)
  assert.match(made.output, /^[\w-]+\.[\w-]+\.[\w-]+\n$/)
  assert.match(made.errors, /^For script@example\.com, until 20.*signed with SESSION_SECRET/)
  const token = made.output.trim()
  const { iat = 0, exp = 0, email } = decodeJwt(token)
  assert.equal(exp - iat, 30 * 86_400)
  assert.equal(email, 'script@example.com')

  const answer = await fetch(`${url}/api/auth/me`, { headers: { authorization: `Bearer ${token}` } })
  const { data } = (await answer.json()) as { data: { email: string; signed_in_by: string } }
  assert.deepEqual([data.email, data.signed_in_by], ['script@example.com', 'token'])

  const csv = path.join(folder, 'companies.csv')
  await writeFile(csv, 'name\nAcme\n')
  assert.equal((await run(['import', csv, '--url', url])).status, 1)
  assert.match((await run(['import', csv, '--url', url, '--token', token])).output, /created {3}1/)
  assert.match((await run(['export', '--url', url], { API_TOKEN: token })).output, /Acme/)
  const file = path.join(folder, 'token')
  await writeFile(file, `${token}\n`)
  assert.match((await run(['export', '--url', url], { API_TOKEN_FILE: file })).output, /Acme/)
  const missing = await run(['export', '--url', url], { API_TOKEN_FILE: `${file}-gone` })
  assert.deepEqual(
    [missing.status, missing.errors],
    [1, `API_TOKEN_FILE: cannot read the file ${file}-gone (ENOENT)\n`],
  )
  const { body } = await api.call('GET', '/api/activity?user_email=script@example.com', undefined, {
    headers: { authorization: `Bearer ${token}` },
  })
  assert.ok(body.pagination.total >= 1)
})

test('an external worker reports on bulk actions with its token in production', async () => {
  const made = await run(['token', '--worker', '--expires', '1h'], PRODUCTION)
  assert.equal(made.status, 0, made.errors)
  const creator = { headers: await bearerOf('ada@example.com') }
  const { data: company } = (await api.call('POST', '/api/companies', { name: 'Acme' }, creator)).body
  const action = { action_type: 'llm_score', company_ids: [company.id] }
  const { data } = (await api.call('POST', '/api/bulk-actions', action, creator)).body
  const headers = { authorization: `Bearer ${made.output.trim()}` }
  const report = { status: 'completed', processed_companies: 1 }
  const { status, body } = await api.call('PATCH', `/api/bulk-actions/${data.id}`, report, { headers })
  assert.deepEqual([status, body.data.status], [200, 'completed'])
})

const bearerOf = async (email: string) => ({
  authorization: `Bearer ${await api.context.sessions.sign({ sub: email, email })}`,
})

test('settings are also read from .env', async () => {
  const text = Object.entries({ ...PRODUCTION, API_URL: url }).map(([name, value]) => `${name}=${value}\n`)
  await writeFile(path.join(folder, '.env'), text.join(''))
  try {
    const token = (await run(['token', '--email', 'script@example.com', '--expires', '1h'])).output.trim()
    assert.match((await run(['export', '--token', token])).output, /^id,name/)
  } finally {
    await rm(path.join(folder, '.env'))
  }
})

test('in development the token is signed with the stored secret', async () => {
  const development = await testApp()
  try {
    const made = await run(['token', '--email', 'ada@example.com'], {
      DATA_DIR: development.config.dataFolder,
    })
    assert.match(made.errors, /signed with the secret stored in /)
    const answer = await development.call('GET', '/api/auth/me', undefined, {
      headers: { authorization: `Bearer ${made.output.trim()}` },
    })
    assert.equal(answer.status, 200)
  } finally {
    await development.close()
  }
})

test('key create prints a key that works, with the scopes and the lifetime it was given', async () => {
  const words = ['key', 'create', '--name', 'Nightly', '--scopes', 'read, export', '--expires', '1d']
  const made = await run([...words, '--email', 'ada@example.com', '--url', url], PRODUCTION)
  assert.equal(made.status, 0, made.errors)
  assert.match(made.output, /^dp_[0-9A-Za-z]{36}\n$/)
  assert.match(made.errors, /^key_\w+ of ada@example\.com: read, export, as member, until 20/)
  assert.match((await run(['export', '--url', url], { API_TOKEN: made.output.trim() })).output, /^id,name/)
  const never = await run(
    [...words, '--expires', 'never', '--email', 'ada@example.com', '--url', url],
    PRODUCTION,
  )
  assert.match(never.errors, /until it is revoked/)
  const refused = await run([...words, '--url', url, '--token', made.output.trim()])
  assert.equal(refused.status, 1)
  assert.match(refused.errors, /needs the scope admin/)
})

test('an invalid command line is an error in one sentence', {
  skip: slow || (testServer && 'needs no database'),
}, async () => {
  for (const [words, env, message] of [
    [['token'], PRODUCTION, /token needs --email or --worker/],
    [['token', '--worker', '--email', 'a@example.com'], PRODUCTION, /token needs --email or --worker/],
    [
      ['token', '--email', 'eve@evil-example.com'],
      PRODUCTION,
      /--email must be an email address that may sign in/,
    ],
    [['token', '--email', 'nobody'], PRODUCTION, /--email must be/],
    [
      ['token', '--email', 'a@example.com', '--expires', '30'],
      PRODUCTION,
      /--expires must be a duration of up to 366 days/,
    ],
    [['token', '--email', 'a@example.com', '--expires', '0d'], PRODUCTION, /--expires/],
    [['token', '--email', 'a@example.com', '--expires', '9999d'], PRODUCTION, /--expires/],
    [
      ['token', 'a@example.com', '--email', 'a@example.com'],
      PRODUCTION,
      /token does not take an argument: a@example.com/,
    ],
    [['key'], PRODUCTION, /key needs the word create/],
    [['key', 'create', '--name', 'x'], PRODUCTION, /key create needs --name and --scopes/],
    [
      ['key', 'create', '--name', 'x', '--scopes', 'read,all'],
      PRODUCTION,
      /--scopes must be among read, .*, not "all"/,
    ],
    [
      ['key', 'create', '--name', 'x', '--scopes', 'read', '--role', 'boss'],
      PRODUCTION,
      /--role must be among viewer, .*, not "boss"/,
    ],
    [['token', '--email', 'a@example.com'], others, /SESSION_SECRET: is required in production/],
  ] as const) {
    const { status, output, errors } = await run([...words], env)
    assert.ok(status > 0, words.join(' '))
    assert.equal(output, '')
    assert.match(errors, message)
    assert.doesNotMatch(errors, /\n {4}at /)
  }
  assert.ok(SESSION_SECRET)
})

import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type RunningProvider,
  startIdentityProvider,
} from '#dev/identity-provider.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { PRODUCTION } from '#src/testing/settings.ts'

interface Row {
  route: string
  rateClass: string
  production: string
  development: string
}

const document = readFileSync(new URL('../docs/security.md', import.meta.url), 'utf8')
const rows: Row[] = [...document.matchAll(/^\| (.+) \| .* \| (.+) \| (.+) \| (.+) \|$/gm)]
  .map(([, route = '', rateClass = '', production = '', development = '']) => ({
    route: route.replaceAll('`', '').replace(' and below', ''),
    rateClass,
    production: production.replace(/ \(.*/, ''),
    development: development.replace(/ \(.*/, ''),
  }))
  .filter(({ route }) => /^(GET|POST|PUT|PATCH|DELETE|any other)/.test(route))

const LIMITS: Record<string, string | undefined> = {
  standard: '1001',
  ai: '1002',
  bulk: '1003',
  import: '1004',
  logo: '1005',
  none: undefined,
}
const limits = {
  RATE_LIMIT_STANDARD: '1001',
  RATE_LIMIT_AI: '1002',
  RATE_LIMIT_BULK: '1003',
  RATE_LIMIT_IMPORT: '1004',
  RATE_LIMIT_LOGOS: '1005',
}

let provider: RunningProvider
let webFolder: string
let production: TestApp
let development: TestApp
const registered = new Set<string>()

function watch(message: unknown): void {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat())
      if (one !== 'HEAD') registered.add(`${one} ${url.replace(/^\/(docs|static)\/.*/, '/$1/')}`)
  })
}

before(async () => {
  webFolder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-web-'))
  await writeFile(path.join(webFolder, 'index.html'), '<!doctype html>')
  provider = await startIdentityProvider()
  const identityProvider = {
    IDP_ISSUER: provider.issuer,
    IDP_CLIENT_ID: CLIENT_ID,
    IDP_CLIENT_SECRET: CLIENT_SECRET,
    ALLOWED_DOMAIN: 'example.com',
    PUBLIC_URL: 'http://localhost',
  }
  subscribe('fastify.initialization', watch)
  production = await testApp({ ...PRODUCTION, ...limits, ...identityProvider }, { webFolder }).finally(() =>
    unsubscribe('fastify.initialization', watch),
  )
  development = await testApp({ ...limits, ...identityProvider }, { webFolder })
  await production.app.ready()
})
after(async () => {
  await production?.close()
  await development?.close()
  await provider?.close()
  await rm(webFolder, { recursive: true })
})

/** Paths for the routes that the document describes in words. */
const OTHERS: Record<string, string> = {
  'any other under /api or /assets': 'GET /api/nothing',
  'any other': 'GET /nothing',
}

/** Without a record in the path that could be missing, it never ends. */
const STREAM = 'GET /api/events'

const ask = (api: TestApp, route: string) => {
  const [method, url = ''] = (OTHERS[route] ?? route.replace(STREAM, 'HEAD /api/events')).split(' ')
  return api.call(method as 'GET', url.replace(/:\w+/, 'x'), undefined, { headers: { host: 'localhost' } })
}

test('docs/security.md lists exactly the routes of the service', () => {
  const documented = rows.map(({ route }) => route).filter((route) => !OTHERS[route])
  assert.deepEqual(documented.toSorted(), [...registered].toSorted())
})

test('each route needs a user and is rate limited as docs/security.md says', async () => {
  assert.ok(rows.length > 25)
  for (const { route, rateClass, production: status } of rows) {
    const answer = await ask(production, route)
    assert.equal(String(answer.status), status, `${route}: ${JSON.stringify(answer.body).slice(0, 200)}`)
    // A rejected bulk action counts as a standard request.
    const counted = rateClass === 'bulk' ? 'standard' : rateClass
    assert.equal(answer.headers['ratelimit-limit'], LIMITS[counted], route)
  }
})

test('in development, routes are served without a user as docs/security.md says', async () => {
  for (const { route, development: expected } of rows) {
    const { status } = await ask(development, route)
    if (expected === 'served')
      assert.ok(![401, 403, 429].includes(status) && status < 500, `${route}: ${status}`)
    else assert.equal(String(status), expected, route)
  }
})

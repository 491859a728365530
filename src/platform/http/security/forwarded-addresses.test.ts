import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { sessionCookieOf } from '#src/testing/credentials.ts'
import { eventually } from '#src/testing/eventually.ts'
import { ada } from '#src/testing/settings.ts'

/** `X-Forwarded-For`, and the client's address. The proxy is 127.0.0.1, behind which is 10.0.0.1. */
const CASES: [string, string][] = [
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:51344', '203.0.113.7'],
  ['[2001:db8::7]:2222', '2001:db8::7'],
  ['[2001:db8::7]', '2001:db8::7'],
  ['2001:db8::7', '2001:db8::7'],
  ['203.0.113.8, 203.0.113.7:51344', '203.0.113.7'],
  ['203.0.113.7:51344, 10.0.0.1:443', '203.0.113.7'],
  ['203.0.113.7:1,,[::1]:80 , ', '203.0.113.7'],
  // Nobody vouches for what an unknown client has sent.
  ['unknown', '127.0.0.1'],
  ['', '127.0.0.1'],
  ['203.0.113.7:1:2', '127.0.0.1'],
  ['_hidden', '127.0.0.1'],
  ['203.0.113.7, unknown', '127.0.0.1'],
  ['203.0.113.7, unknown, 10.0.0.1', '10.0.0.1'],
  ['unknown, 203.0.113.7:51344', '203.0.113.7'],
]

let api: TestApp
const logged: string[] = []
before(async () => {
  api = await testApp({ TRUST_PROXY: 'loopback, 10.0.0.0/8' })
  api.app.addHook('onResponse', async (request) => {
    logged.push(request.ip)
  })
})
after(() => api.close())

test('addresses are recorded without the ports that proxies add', async () => {
  for (const [forwarded, address] of CASES) {
    const session = await sessionCookieOf(api, ada)
    const headers = { ...session, 'x-forwarded-for': forwarded, 'x-forwarded-proto': 'https' }
    const created = await api.call(
      'POST',
      '/api/keys',
      { name: forwarded || 'none', scopes: ['read'] },
      { headers },
    )
    assert.equal(created.status, 201, JSON.stringify(created.body))
    assert.equal(logged.at(-1), address, forwarded)
    await eventually(async () => {
      await api.context.flushUses()
      const { data } = (await api.call('GET', '/api/sessions', undefined, { headers })).body
      assert.equal(data.find(({ current }: { current: boolean }) => current)?.address, address, forwarded)
    })
    const entries = (await api.call('GET', '/api/audit?event=key_created&limit=1')).body.data
    assert.equal(entries[0].address, address, forwarded)
  }
})

test('without TRUST_PROXY, the header counts for nothing', async () => {
  const alone = await testApp()
  try {
    let ip = ''
    alone.app.addHook('onResponse', async (request) => {
      ip = request.ip
    })
    await alone.call('GET', '/healthz', undefined, { headers: { 'x-forwarded-for': '203.0.113.7:51344' } })
    assert.equal(ip, '127.0.0.1')
  } finally {
    await alone.close()
  }
})

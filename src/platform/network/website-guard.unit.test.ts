import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  closeWebsites,
  NOT_A_PUBLIC_NAME,
  NOT_PUBLIC,
  readerHere,
  reasonOf,
  redirect,
  textOf,
  website,
} from '#src/testing/website.fixture.ts'
import { createWebsiteReader } from '#src/worker/website.ts'

after(closeWebsites)

test('private addresses get no request, however they are written', async () => {
  const internal = await website({ '/': 'secret' })
  const reader = createWebsiteReader({ isAllowedPort: () => true, lookup: async () => ['127.0.0.1'] })
  for (const host of [
    ...['127.0.0.1', '2130706433', '0x7f.1', '0177.0.0.1', '127.1', '0', '127.0.0.1.', '%31%32%37.0.0.1'],
    ...['[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]', '[64:ff9b::7f00:1]'],
    ...['①②⑦.0.0.1', '10.0.0.1', '169.254.169.254', '192.168.0.1', '[fe80::1]', '[fd00::1]'],
    'www.volta-energy.com',
  ])
    assert.equal(await reasonOf(`http://${host}:${internal.port}/`, reader), NOT_PUBLIC, host)
  assert.deepEqual(internal.requests, [])
})

test('reserved host names are not resolved', async () => {
  const lookups: string[] = []
  const reader = readerHere({
    lookup: async (name) => {
      lookups.push(name)
      return ['127.0.0.1']
    },
  })
  const reserved = ['example', 'test', 'invalid', 'localhost', 'local', 'internal', 'home.arpa', 'onion']
  for (const name of ['localhost', 'LOCALHOST.', 'intranet', ...reserved.map((end) => `www.volta.${end}`)])
    assert.equal(await reasonOf(`http://${name}/`, reader), NOT_A_PUBLIC_NAME, name)
  assert.deepEqual(lookups, [])
})

test('other schemes, credentials, other ports and invalid addresses are rejected', async () => {
  for (const url of ['file:///etc/passwd', 'ftp://volta.com/', 'gopher://volta.com/', 'data:text/html,x'])
    assert.equal(await reasonOf(url), 'The website is not on http or https.')
  for (const url of ['http://user:password@volta.com/', 'http://user@volta.com/'])
    assert.equal(await reasonOf(url), "The website's address contains a user name or password.")
  for (const url of ['', 'volta', 'http://', 'http://[::1', 'http://a b/', 'http://999.1.1.1/'])
    assert.equal(await reasonOf(url), "The website's address is not valid.")
  assert.match(await reasonOf(`http://volta.com/${'a'.repeat(1000)}`), /too long/)
  const reader = createWebsiteReader({ lookup: async () => [] })
  for (const port of [22, 25, 3000, 5432, 6379, 9200])
    assert.match(await reasonOf(`http://volta.com:${port}/`, reader), new RegExp(`port ${port}`))
  for (const port of [80, 443, 8080, 8443])
    assert.equal(await reasonOf(`http://volta.com:${port}/`, reader), NOT_PUBLIC)
})

test('a redirect to a private address is not followed', async () => {
  const internal = await website({ '/': 'secret' })
  for (const [location, reason] of [
    [`http://127.0.0.2:${internal.port}/`, NOT_PUBLIC],
    [`http://[::1]:${internal.port}/`, NOT_PUBLIC],
    [`//inside.volta.com:${internal.port}/`, NOT_PUBLIC],
    [`http://localhost:${internal.port}/`, NOT_A_PUBLIC_NAME],
    ['file:///etc/passwd', 'The website is not on http or https.'],
    ['http://a:b@volta.com/', "The website's address contains a user name or password."],
    ['http://[', "The website's address is not valid."],
  ] as const) {
    const site = await website({ '/': redirect(location) })
    const reader = readerHere({ lookup: async () => ['127.0.0.2'] })
    assert.equal(await reasonOf(site.url, reader), reason)
  }
  assert.deepEqual(internal.requests, [])
})

test('if a name has several addresses, only public ones are used', async () => {
  const site = await website({ '/': 'Volta' })
  const reader = readerHere({ lookup: async () => ['127.0.0.2', '::1', '127.0.0.1', '10.0.0.1'] })
  assert.equal(await textOf(`http://www.volta.com:${site.port}/`, reader), 'Volta')
})

test('DNS rebinding does not lead to a private address', async () => {
  const site = await website({
    '/': 'secret',
    '/robots.txt': (response) => response.writeHead(404, { connection: 'close' }).end(),
  })
  let lookups = 0
  const lookup = async () => [lookups++ === 0 ? '127.0.0.1' : '127.0.0.2']
  assert.equal(await reasonOf(`http://www.volta.com:${site.port}/`, readerHere({ lookup })), NOT_PUBLIC)
  assert.equal(lookups, 2)
  assert.deepEqual(site.requests, ['/robots.txt'])
})

test('a name is resolved once per connection', async () => {
  const site = await website({ '/': 'Volta' })
  let lookups = 0
  const lookup = async () => [lookups++ === 0 ? '127.0.0.1' : '127.0.0.2']
  assert.equal(await textOf(`http://www.volta.com:${site.port}/`, readerHere({ lookup })), 'Volta')
  assert.equal(lookups, 1)
})

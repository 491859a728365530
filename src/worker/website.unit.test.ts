import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { createGzip } from 'node:zlib'
import fc from 'fast-check'
import { freePort } from '#src/testing/free-port.ts'
import {
  type Answer,
  closeWebsites,
  endlessly,
  NOT_PUBLIC,
  page,
  readerHere,
  reasonOf,
  redirect,
  running,
  status,
  textOf,
  website,
} from '#src/testing/website.fixture.ts'

after(closeWebsites)

test('requests carry no cookies, credentials or referrer', async () => {
  const there = await website({ '/about': '<h1>Volta</h1>' })
  const here = await website({
    '/': (response) =>
      response.writeHead(301, { location: `${there.url}about`, 'set-cookie': 'a=1; Path=/' }).end('Moved'),
  })
  const read = await readerHere().read(here.url, running)
  assert.ok('text' in read)
  assert.equal(read.url, `${there.url}about`)
  assert.equal(read.text, 'Volta')
  assert.equal(new Date(read.read_at).toISOString(), read.read_at)
  assert.deepEqual(here.requests, ['/robots.txt', '/'])
  assert.deepEqual(there.requests, ['/robots.txt', '/about'])
  for (const headers of [...here.headers, ...there.headers]) {
    assert.equal(headers['user-agent'], 'deal-pipeline')
    for (const name of ['cookie', 'authorization', 'referer', 'origin'])
      assert.equal(headers[name], undefined)
  }
})

test('at most five redirects are followed', async () => {
  const pages: Record<string, Answer | string> = { '/5': 'Arrived' }
  for (const [n, code] of [301, 302, 303, 307, 308].entries()) pages[`/${n}`] = redirect(`./${n + 1}`, code)
  const site = await website({ ...pages, '/': redirect('/0'), '/loop': redirect('/loop') })
  assert.equal(await textOf(`${site.url}0`), 'Arrived')
  assert.equal(await reasonOf(site.url), 'The website redirects more than 5 times.')
  site.requests.length = 0
  assert.equal(await reasonOf(`${site.url}loop`), 'The website redirects more than 5 times.')
  assert.equal(site.requests.filter((path) => path === '/loop').length, 6)
})

test('an endless page is truncated, compressed or not', async () => {
  const site = await website({
    '/': (response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      Readable.from(endlessly('Volta ')).pipe(response)
    },
    '/bomb': (response) => {
      response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
      Readable.from(endlessly('Volta ')).pipe(createGzip()).pipe(response)
    },
    '/far': `<script>${'x'.repeat(3_000_000)}</script>Volta`,
    '/near': `<script>${'x'.repeat(1_900_000)}</script>Volta`,
  })
  const text = 'Volta '.repeat(2500)
  assert.equal(await textOf(site.url), text)
  assert.equal(await textOf(`${site.url}bomb`), text)
  assert.equal(await reasonOf(`${site.url}far`), 'The page has no text.')
  assert.equal(await textOf(`${site.url}near`), 'Volta')
})

test('connections are closed after each page, even if it failed', async () => {
  const site = await website({
    '/': 'Volta',
    '/endless': (response) => Readable.from(endlessly('Volta ')).pipe(response),
    '/slow': (response) => response.writeHead(200, { 'content-type': 'text/html' }).write('Volta'),
    '/status': status(500),
  })
  let open = 0
  const closed: Promise<unknown>[] = []
  site.server.on('connection', (socket) => {
    open++
    socket.on('error', () => {})
    closed.push(new Promise<void>((resolve) => socket.on('close', () => resolve(void open--))))
  })
  for (const path of ['', 'endless', 'status']) await readerHere().read(`${site.url}${path}`, running)
  await readerHere({ timeoutMs: 300 }).read(`${site.url}slow`, running)
  assert.ok(closed.length >= 4)
  await Promise.all(closed)
  assert.equal(open, 0)
})

test('a slow website times out', async () => {
  const site = await website({
    '/': (response) => response.writeHead(200, { 'content-type': 'text/html' }).write('Volta'),
    '/silent': () => {},
  })
  const silent = await website({ '/robots.txt': () => {} })
  const reader = readerHere({ timeoutMs: 300 })
  const timedOut = 'The website did not answer within 0.3 seconds.'
  assert.equal(await reasonOf(site.url, reader), timedOut)
  assert.equal(await reasonOf(`${site.url}silent`, reader), timedOut)
  assert.equal(await reasonOf(silent.url, reader), timedOut)
  const lost = readerHere({ timeoutMs: 300, lookup: () => new Promise(() => {}) })
  assert.equal(await reasonOf('http://www.volta.com/', lost), timedOut)
})

test('aborting the signal stops reading', async () => {
  const stop = new AbortController()
  const site = await website({ '/': () => stop.abort(new Error('stopped')) })
  await assert.rejects(readerHere().read(site.url, stop.signal), /^Error: stopped$/)
  site.requests.length = 0
  await assert.rejects(readerHere().read(site.url, stop.signal), /^Error: stopped$/)
  assert.deepEqual(site.requests, [])
})

test('only HTML and plain text are read', async () => {
  const site = await website({
    '/html': page('Text/HTML; charset=utf-8', 'Volta'),
    '/xhtml': page('application/xhtml+xml', '<html><script src="a.js"/><title/><p>Volta</p></html>'),
    '/plain': page('text/plain', 'Volta\n\n <b>'),
    '/pdf': page('application/pdf', 'Volta'),
    '/json': page('application/json', '{}'),
    '/none': page(undefined, 'Volta'),
    '/malformed': page('html', 'Volta'),
    '/empty': page('text/html', '<p> </p>'),
  })
  assert.equal(await textOf(`${site.url}html`), 'Volta')
  assert.equal(await textOf(`${site.url}xhtml`), 'Volta')
  assert.equal(await textOf(`${site.url}plain`), 'Volta\n<b>')
  assert.equal(
    await reasonOf(`${site.url}pdf`),
    'The website is neither HTML nor plain text, but application/pdf.',
  )
  assert.match(await reasonOf(`${site.url}json`), /application\/json/)
  assert.match(await reasonOf(`${site.url}none`), /sends no content type/)
  assert.match(await reasonOf(`${site.url}malformed`), /sends no content type/)
  assert.equal(await reasonOf(`${site.url}empty`), 'The page has no text.')
})

test('errors are explained in a sentence without internal details', async () => {
  const site = await website({
    '/gone': status(410),
    '/failing': status(500),
    '/nowhere': status(302),
    '/broken': (response) => {
      response.writeHead(200, { 'content-type': 'text/html', 'content-length': '10' }).write('Vol')
      setImmediate(() => response.destroy())
    },
    '/not-gzip': page('text/html', 'Volta', { 'content-encoding': 'gzip' }),
    '/encoded': page('text/html', 'Volta', { 'content-encoding': new Array(9).fill('gzip').join() }),
    '/not-http': (response) => response.socket?.end('rubbish\r\n\r\n'),
  })
  const closed = `http://127.0.0.1:${await freePort()}/`
  const unknown = (code: string) =>
    readerHere({ lookup: () => Promise.reject(Object.assign(new Error('at resolver 10.0.0.53'), { code })) })

  assert.equal(await reasonOf(`${site.url}gone`), 'The website responded with status 410.')
  assert.equal(await reasonOf(`${site.url}failing`), 'The website responded with status 500.')
  assert.equal(await reasonOf(`${site.url}nowhere`), 'The website responded with status 302.')
  assert.equal(await reasonOf(`${site.url}broken`), 'The website closed the connection.')
  assert.equal(await reasonOf(`${site.url}not-gzip`), "The website's response could not be read.")
  assert.equal(await reasonOf(`${site.url}encoded`), "The website's response could not be read.")
  assert.equal(await reasonOf(`${site.url}not-http`), "The website's response could not be read.")
  assert.equal(await reasonOf(closed), 'The website could not be reached.')
  assert.equal(
    await reasonOf(site.url.replace('http:', 'https:')),
    'A secure connection to the website could not be made.',
  )
  assert.equal(
    await reasonOf('http://volta.com/', unknown('ENOTFOUND')),
    "The website's host name does not exist.",
  )
  assert.equal(
    await reasonOf('http://volta.com/', unknown('EAI_AGAIN')),
    "The website's host name could not be resolved.",
  )
  assert.equal(await reasonOf('http://volta.com/', readerHere({ lookup: async () => [] })), NOT_PUBLIC)
})

test('an invalid address never throws', async () => {
  const reader = readerHere({ isAllowed: () => false })
  const rubbish = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    fc.string({ unit: 'binary' }).map((text) => `http://${text}`),
    fc.ipV6().map((address) => `https://[${address}]/`),
  )
  await fc.assert(
    fc.asyncProperty(rubbish, async (url) => {
      assert.match(await reasonOf(url, reader), /^[A-Z][^\n]+\.$/)
    }),
  )
})

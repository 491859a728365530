import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { freePort } from '#src/testing/free-port.ts'
import {
  type Answer,
  closeWebsites,
  endlessly,
  onThisMachine,
  page,
  redirect,
  running,
  status,
  website,
} from '#src/testing/website.fixture.ts'
import { createIconReader, type IconReaderOptions } from './fetch-icon.ts'
import { iconLinks } from './icon-links.ts'
import { png } from './images.fixture.ts'

after(closeWebsites)

const image = (bytes: Buffer): Answer => page('image/png', bytes)
const BIG = png(64, 64)
const SMALL = png(16, 16)

/** Reads an icon without converting it. What does not begin like a PNG is no image. */
const readIcon = (url: string, options: IconReaderOptions = {}) =>
  createIconReader(async (bytes) => (bytes[0] === 0x89 ? bytes : null), { ...onThisMachine, ...options })(
    url.replace(/\/$/, ''),
    running,
  )

test('the best icon that the page links to is taken, the smallest that is large enough', () => {
  const links = (html: string) => iconLinks(html, new URL('https://volta.com/en/'))
  assert.deepEqual(
    links(`<link rel="icon" href="a.png" sizes="16x16"><link rel="shortcut icon" href="/b.ico">
      <link rel="icon" sizes="512x512" href="//cdn.volta.com/c.png"><LINK REL=ICON SIZES=96x96 HREF=d.png>
      <link rel="apple-touch-icon" href="e.png"><link rel="stylesheet" href="f.css">
      <link rel="mask-icon" href="g.svg"><link rel="icon" href="h.svg?1"><link rel="icon" type="image/svg+xml" href="i">
      <link rel="icon"><link rel="icon" href="http://[">`),
    [
      ...['https://volta.com/en/d.png', 'https://volta.com/en/e.png', 'https://cdn.volta.com/c.png'],
      ...['https://volta.com/en/a.png', 'https://volta.com/b.ico'],
    ],
  )
  assert.deepEqual(links('<base href="/static/"><link rel=icon href=a.png>'), [
    'https://volta.com/static/a.png',
  ])
  assert.equal(links('<link rel=icon href=a.png>'.repeat(10_000)).length, 50)
  assert.deepEqual(links('<div>'.repeat(300_000)), [])
})

test('the linked icon is read, and favicon.ico if there is none', async () => {
  const linked = await website({
    '/': '<link rel=icon href=/a.png sizes=64x64>',
    '/a.png': image(BIG),
    '/favicon.ico': image(SMALL),
  })
  assert.deepEqual(await readIcon(linked.url), BIG)
  assert.ok(!linked.requests.includes('/favicon.ico'))
  for (const html of [
    'Volta',
    '<link rel=icon href=/missing.png>',
    '<link rel=icon href="data:image/png;base64,AA">',
  ]) {
    const site = await website({ '/': html, '/favicon.ico': image(SMALL) })
    assert.deepEqual(await readIcon(site.url), SMALL, html)
  }
  const forbidden = await website({ '/': status(403), '/favicon.ico': image(SMALL) })
  assert.deepEqual(await readIcon(forbidden.url), SMALL)
})

test('the content of an icon counts, not its media type', async () => {
  const site = await website({ '/': 'Volta', '/favicon.ico': page('text/html', SMALL) })
  assert.deepEqual(await readIcon(site.url), SMALL)
  const soft404 = await website({
    '/': 'Volta',
    '/favicon.ico': page('image/x-icon', '<title>Not found</title>'),
  })
  assert.equal(await readIcon(soft404.url), null)
})

test('icons that are too large give none, whether they say so or not', async () => {
  const large = Buffer.concat([SMALL, Buffer.alloc(10 * 1024 * 1024)])
  const stated = await website({ '/': 'Volta', '/favicon.ico': image(large) })
  assert.equal(await readIcon(stated.url), null)
  let isClosed = false
  const endless: Answer = (response) => {
    response.on('close', () => {
      isClosed = true
    })
    response.writeHead(200, { 'content-type': 'image/png' })
    Readable.from(endlessly('\x89PNG')).pipe(response)
  }
  const unstated = await website({ '/': 'Volta', '/favicon.ico': endless })
  assert.equal(await readIcon(unstated.url), null)
  while (!isClosed) await new Promise((resolve) => setTimeout(resolve, 10))
  const page_ = await website({ '/': endless, '/favicon.ico': image(SMALL) })
  assert.deepEqual(await readIcon(page_.url), SMALL)
})

test('nothing in a private network is read, neither by a link nor by a redirect', async () => {
  const internal = await website({ '/': 'secret', '/favicon.ico': image(BIG), '/a.png': image(BIG) })
  for (const address of [
    ...[`http://127.0.0.2:${internal.port}/a.png`, `http://[::1]:${internal.port}/a.png`],
    ...[`http://localhost:${internal.port}/a.png`, `http://inside.volta.com:${internal.port}/a.png`],
    ...['file:///etc/passwd', 'http://user:password@volta.com/a.png'],
  ]) {
    const options = { lookup: async () => ['127.0.0.2'] }
    const linking = await website({ '/': `<link rel=icon href="${address}">` })
    assert.equal(await readIcon(linking.url, options), null, address)
    const redirecting = await website({ '/': 'Volta', '/favicon.ico': redirect(address) })
    assert.equal(await readIcon(redirecting.url, options), null, address)
    const moved = await website({ '/': redirect(address) })
    await assert.rejects(readIcon(moved.url, options), address)
  }
  await assert.rejects(readIcon(internal.url, { isAllowed: () => false }), /not public/)
  assert.deepEqual(internal.requests, [])
})

test('robots.txt is respected', async () => {
  const site = await website({
    '/robots.txt': 'User-agent: *\nDisallow: /favicon.ico',
    '/': 'Volta',
    '/favicon.ico': image(SMALL),
  })
  assert.equal(await readIcon(site.url), null)
  assert.ok(!site.requests.includes('/favicon.ico'))
})

test('a website that does not answer, or only with errors, is a failure', async () => {
  const silent = await website({ '/': () => {} })
  await assert.rejects(readIcon(silent.url, { timeoutMs: 200 }), /timeout/)
  const slow = await website({
    '/': 'Volta',
    '/favicon.ico': (response) => response.writeHead(200).flushHeaders(),
  })
  await assert.rejects(readIcon(slow.url, { timeoutMs: 200 }), /timeout/)
  for (const code of [408, 425, 429, 500, 503]) {
    const broken = await website({ '/': 'Volta', '/favicon.ico': status(code) })
    await assert.rejects(readIcon(broken.url), new RegExp(`icon responded with status ${code}`))
    const withoutPage = await website({ '/': status(code) })
    await assert.rejects(readIcon(withoutPage.url), new RegExp(`page responded with status ${code}`))
  }
  const images = await website({ '/robots.txt': status(503), '/a.png': image(BIG) })
  const linking = await website({ '/': `<link rel=icon href="${images.url}a.png">` })
  await assert.rejects(readIcon(linking.url), /robots\.txt failed/)
  await assert.rejects(readIcon(`http://127.0.0.1:${await freePort()}/`), /fetch failed/)
})

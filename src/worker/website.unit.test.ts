import assert from 'node:assert/strict'
import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { createGzip, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { createWebsiteReader, type WebsiteReaderOptions } from './website.ts'

type Answer = (response: ServerResponse, request: IncomingMessage) => void
interface Website {
  url: string
  port: number
  /** The paths that were asked for. */
  requests: string[]
  headers: IncomingHttpHeaders[]
  server: Server
}

const servers: Server[] = []
after(() => {
  for (const server of servers) {
    server.close()
    server.closeAllConnections()
  }
})

/** A website on this machine with these pages, and no others. */
async function website(pages: Record<string, Answer | string>): Promise<Website> {
  const requests: string[] = []
  const headers: IncomingHttpHeaders[] = []
  const server = createServer((request, response) => {
    const path = request.url as string
    requests.push(path)
    headers.push(request.headers)
    const answer = pages[path]
    if (typeof answer === 'function') return answer(response, request)
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(answer)
  })
  server.keepAliveTimeout = 0
  servers.push(server.listen(0, '127.0.0.1'))
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, port, requests, headers, server }
}

const redirect =
  (location: string, status = 302): Answer =>
  (response) =>
    response.writeHead(status, { location }).end()

const page =
  (type: string | undefined, body: string | Buffer, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(200, { ...(type && { 'content-type': type }), ...headers }).end(body)

const status =
  (code: number): Answer =>
  (response) =>
    response.writeHead(code).end()

const running = new AbortController().signal
const onThisMachine: WebsiteReaderOptions = {
  isAllowed: (address) => address === '127.0.0.1',
  isAllowedPort: () => true,
  lookup: async () => ['127.0.0.1'],
}
const readerHere = (options: WebsiteReaderOptions = {}) =>
  createWebsiteReader({ ...onThisMachine, ...options })

async function textOf(url: string, reader = readerHere()): Promise<string> {
  const read = await reader.read(url, running)
  assert.ok('text' in read, JSON.stringify(read))
  return read.text
}

async function reasonOf(url: string, reader = readerHere()): Promise<string> {
  const read = await reader.read(url, running)
  assert.ok('reason' in read, JSON.stringify(read))
  assert.equal(read.url, url)
  return read.reason
}

const NOT_PUBLIC = "The website's address is not public."
const NOT_A_PUBLIC_NAME = "The website's name is not one of the public Internet."
const NOT_ALLOWED = "The website's robots.txt does not allow the page to be read."

test('a page is read as a guest that brings nothing along', async () => {
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

test('nothing on this machine or inside its network is asked, however its address is spelled', async () => {
  const inside = await website({ '/': 'secret' })
  const reader = createWebsiteReader({ isAllowedPort: () => true, lookup: async () => ['127.0.0.1'] })
  for (const host of [
    ...['127.0.0.1', '2130706433', '0x7f.1', '0177.0.0.1', '127.1', '0', '127.0.0.1.', '%31%32%37.0.0.1'],
    ...['[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]', '[64:ff9b::7f00:1]'],
    ...['①②⑦.0.0.1', '10.0.0.1', '169.254.169.254', '192.168.0.1', '[fe80::1]', '[fd00::1]'],
    'www.volta-energy.com',
  ])
    assert.equal(await reasonOf(`http://${host}:${inside.port}/`, reader), NOT_PUBLIC, host)
  assert.deepEqual(inside.requests, [])
})

test('names that are not of the public Internet are not looked up', async () => {
  const looked: string[] = []
  const reader = readerHere({
    lookup: async (name) => {
      looked.push(name)
      return ['127.0.0.1']
    },
  })
  const reserved = ['example', 'test', 'invalid', 'localhost', 'local', 'internal', 'home.arpa', 'onion']
  for (const name of ['localhost', 'LOCALHOST.', 'intranet', ...reserved.map((end) => `www.volta.${end}`)])
    assert.equal(await reasonOf(`http://${name}/`, reader), NOT_A_PUBLIC_NAME, name)
  assert.deepEqual(looked, [])
})

test('other schemes, credentials, other ports and what is no address are refused', async () => {
  for (const url of ['file:///etc/passwd', 'ftp://volta.com/', 'gopher://volta.com/', 'data:text/html,x'])
    assert.equal(await reasonOf(url), 'Only http and https addresses are read.')
  for (const url of ['http://user:password@volta.com/', 'http://user@volta.com/'])
    assert.equal(await reasonOf(url), 'An address with a user name or a password in it is not read.')
  for (const url of ['', 'volta', 'http://', 'http://[::1', 'http://a b/', 'http://999.1.1.1/'])
    assert.equal(await reasonOf(url), "The website's address is not valid.")
  assert.match(await reasonOf(`http://volta.com/${'a'.repeat(1000)}`), /too long/)
  const reader = createWebsiteReader({ lookup: async () => [] })
  for (const port of [22, 25, 3000, 5432, 6379, 9200])
    assert.match(await reasonOf(`http://volta.com:${port}/`, reader), new RegExp(`port ${port}`))
  for (const port of [80, 443, 8080, 8443])
    assert.equal(await reasonOf(`http://volta.com:${port}/`, reader), NOT_PUBLIC)
})

test('a redirect to what is not public is not followed', async () => {
  const inside = await website({ '/': 'secret' })
  for (const [location, reason] of [
    [`http://127.0.0.2:${inside.port}/`, NOT_PUBLIC],
    [`http://[::1]:${inside.port}/`, NOT_PUBLIC],
    [`//inside.volta.com:${inside.port}/`, NOT_PUBLIC],
    [`http://localhost:${inside.port}/`, NOT_A_PUBLIC_NAME],
    ['file:///etc/passwd', 'Only http and https addresses are read.'],
    ['http://a:b@volta.com/', 'An address with a user name or a password in it is not read.'],
    ['http://[', "The website's address is not valid."],
  ] as const) {
    const site = await website({ '/': redirect(location) })
    const reader = readerHere({ lookup: async () => ['127.0.0.2'] })
    assert.equal(await reasonOf(site.url, reader), reason)
  }
  assert.deepEqual(inside.requests, [])
})

test('only the public ones of several addresses are connected to', async () => {
  const site = await website({ '/': 'Volta' })
  const reader = readerHere({ lookup: async () => ['127.0.0.2', '::1', '127.0.0.1', '10.0.0.1'] })
  assert.equal(await textOf(`http://www.volta.com:${site.port}/`, reader), 'Volta')
})

test('a name whose address changes is not connected to where it must not be', async () => {
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

test('a name is looked up once for a connection', async () => {
  const site = await website({ '/': 'Volta' })
  let lookups = 0
  const lookup = async () => [lookups++ === 0 ? '127.0.0.1' : '127.0.0.2']
  assert.equal(await textOf(`http://www.volta.com:${site.port}/`, readerHere({ lookup })), 'Volta')
  assert.equal(lookups, 1)
})

test('five redirects are followed, and no more', async () => {
  const pages: Record<string, Answer | string> = { '/5': 'Arrived' }
  for (const [n, code] of [301, 302, 303, 307, 308].entries()) pages[`/${n}`] = redirect(`./${n + 1}`, code)
  const site = await website({ ...pages, '/': redirect('/0'), '/loop': redirect('/loop') })
  assert.equal(await textOf(`${site.url}0`), 'Arrived')
  assert.equal(await reasonOf(site.url), 'The website redirects more than 5 times.')
  site.requests.length = 0
  assert.equal(await reasonOf(`${site.url}loop`), 'The website redirects more than 5 times.')
  assert.equal(site.requests.filter((path) => path === '/loop').length, 6)
})

test('robots.txt is respected, for us before all', async () => {
  const disallow = 'User-agent: *\nDisallow: /private\n'
  const site = await website({
    '/robots.txt': disallow,
    '/': 'Volta',
    '/private': 'secret',
    '/moved': redirect('/private'),
  })
  const reader = readerHere()
  assert.equal(await textOf(site.url, reader), 'Volta')
  assert.equal(await reasonOf(`${site.url}private`, reader), NOT_ALLOWED)
  assert.equal(await reasonOf(`${site.url}moved`, reader), NOT_ALLOWED)
  assert.deepEqual(site.requests, ['/robots.txt', '/', '/moved'])

  const ours = await website({
    '/robots.txt': `${disallow}\nUser-agent: Deal-Pipeline\nDisallow: /`,
    '/': 'secret',
  })
  assert.equal(await reasonOf(ours.url), NOT_ALLOWED)
  const open = await website({
    '/robots.txt': 'User-agent: *\nDisallow: /\n\nUser-agent: deal-pipeline\nDisallow:\n',
    '/': 'Volta',
  })
  assert.equal(await textOf(open.url), 'Volta')
})

test('where a redirect leads to, its own robots.txt counts', async () => {
  const there = await website({ '/robots.txt': 'User-agent: *\nDisallow: /', '/': 'secret' })
  const here = await website({ '/': redirect(there.url) })
  assert.equal(await reasonOf(here.url), NOT_ALLOWED)
  assert.deepEqual(there.requests, ['/robots.txt'])
})

test('a robots.txt that is not there forbids nothing, one that fails forbids everything for now', async () => {
  for (const code of [401, 403, 404, 410]) {
    const site = await website({ '/robots.txt': status(code), '/': 'Volta' })
    assert.equal(await textOf(site.url), 'Volta')
  }
  let isFailing = true
  const site = await website({
    '/robots.txt': (response) => response.writeHead(isFailing ? 503 : 404).end(),
    '/': 'Volta',
  })
  const reader = readerHere()
  assert.equal(
    await reasonOf(site.url, reader),
    "The website's robots.txt answered with 503, so that none of its pages may be read.",
  )
  const broken = await website({ '/robots.txt': (response) => response.destroy(), '/': 'Volta' })
  assert.equal(await reasonOf(broken.url, reader), 'The website broke the connection off.')
  assert.deepEqual([site.requests, broken.requests], [['/robots.txt'], ['/robots.txt']])
  isFailing = false
  assert.equal(await textOf(site.url, reader), 'Volta')
})

test('the redirects of robots.txt are followed, guarded as those of pages', async () => {
  const rules = await website({ '/rules.txt': 'User-agent: *\nDisallow: /' })
  const moved = await website({ '/robots.txt': redirect(`${rules.url}rules.txt`), '/': 'secret' })
  assert.equal(await reasonOf(moved.url), NOT_ALLOWED)
  const inside = await website({ '/robots.txt': redirect('http://127.0.0.2/'), '/': 'secret' })
  assert.equal(await reasonOf(inside.url), NOT_PUBLIC)
  assert.deepEqual(inside.requests, ['/robots.txt'])
  const loop = await website({ '/robots.txt': redirect('/robots.txt'), '/': 'Volta' })
  assert.equal(await textOf(loop.url), 'Volta')
})

test('robots.txt is read up to 500 KB, and kept', async () => {
  const filler = `# ${'x'.repeat(98)}\n`
  const huge = (rule: string, bytes: number) =>
    `User-agent: *\nDisallow: /private\n${filler.repeat(bytes / 100)}${rule}`
  const late = await website({ '/robots.txt': huge('Disallow: /', 600_000), '/': 'Volta' })
  assert.equal(await textOf(late.url), 'Volta')
  const within = await website({ '/robots.txt': huge('Disallow: /', 400_000), '/': 'Volta' })
  assert.equal(await reasonOf(within.url), NOT_ALLOWED)

  const endless = await website({
    '/robots.txt': (response) => Readable.from(endlessly(filler)).pipe(response),
    '/': 'Volta',
  })
  const reader = readerHere()
  assert.equal(await textOf(endless.url, reader), 'Volta')
  assert.equal(await textOf(endless.url, reader), 'Volta')
  assert.deepEqual(endless.requests, ['/robots.txt', '/', '/'])
})

function* endlessly(text: string) {
  const chunk = Buffer.from(text.repeat(Math.ceil(65_536 / text.length)))
  for (;;) yield chunk
}

test('a page without end is cut off, compressed or not', async () => {
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

test('the connections are closed after each page, whatever came of it', async () => {
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
  const reader = readerHere({ milliseconds: 300 })
  for (const path of ['', 'endless', 'slow', 'status']) await reader.read(`${site.url}${path}`, running)
  assert.ok(closed.length >= 4)
  await Promise.all(closed)
  assert.equal(open, 0)
})

test('a website that takes too long is given up', async () => {
  const site = await website({
    '/': (response) => response.writeHead(200, { 'content-type': 'text/html' }).write('Volta'),
    '/silent': () => {},
  })
  const silent = await website({ '/robots.txt': () => {} })
  const reader = readerHere({ milliseconds: 300 })
  const late = 'The website did not answer within 0.3 seconds.'
  assert.equal(await reasonOf(site.url, reader), late)
  assert.equal(await reasonOf(`${site.url}silent`, reader), late)
  assert.equal(await reasonOf(silent.url, reader), late)
  const lost = readerHere({ milliseconds: 300, lookup: () => new Promise(() => {}) })
  assert.equal(await reasonOf('http://www.volta.com/', lost), late)
})

test('the reading stops when it is told to', async () => {
  const stop = new AbortController()
  const site = await website({ '/': () => stop.abort(new Error('stopped')) })
  await assert.rejects(readerHere().read(site.url, stop.signal), /^Error: stopped$/)
  site.requests.length = 0
  await assert.rejects(readerHere().read(site.url, stop.signal), /^Error: stopped$/)
  assert.deepEqual(site.requests, [])
})

test('pages of text are read, other content is not', async () => {
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
    "The website's content is of the type application/pdf, which is not read.",
  )
  assert.match(await reasonOf(`${site.url}json`), /application\/json/)
  assert.match(await reasonOf(`${site.url}none`), /does not say what kind/)
  assert.match(await reasonOf(`${site.url}malformed`), /does not say what kind/)
  assert.equal(await reasonOf(`${site.url}empty`), 'The page has no text.')
})

test('what goes wrong is told in a sentence that leaks nothing', async () => {
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
  const closed = await website({})
  closed.server.close()
  await once(closed.server, 'close')
  const unknown = (code: string) =>
    readerHere({ lookup: () => Promise.reject(Object.assign(new Error('at resolver 10.0.0.53'), { code })) })

  assert.equal(await reasonOf(`${site.url}gone`), 'The website answered with 410.')
  assert.equal(await reasonOf(`${site.url}failing`), 'The website answered with 500.')
  assert.equal(await reasonOf(`${site.url}nowhere`), 'The website answered with 302.')
  assert.equal(await reasonOf(`${site.url}broken`), 'The website broke the connection off.')
  assert.equal(await reasonOf(`${site.url}not-gzip`), 'The website gave an answer that cannot be read.')
  assert.equal(await reasonOf(`${site.url}encoded`), 'The website gave an answer that cannot be read.')
  assert.equal(await reasonOf(`${site.url}not-http`), 'The website gave an answer that cannot be read.')
  assert.equal(await reasonOf(closed.url), 'The website could not be reached.')
  assert.equal(
    await reasonOf(site.url.replace('http:', 'https:')),
    'A secure connection to the website could not be made.',
  )
  assert.equal(await reasonOf('http://volta.com/', unknown('ENOTFOUND')), "The website's name is not known.")
  assert.equal(
    await reasonOf('http://volta.com/', unknown('EAI_AGAIN')),
    "The website's name could not be looked up.",
  )
  assert.equal(await reasonOf('http://volta.com/', readerHere({ lookup: async () => [] })), NOT_PUBLIC)
})

test('rubbish in the place of an address never throws', async () => {
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

async function textOfPage(type: string, body: string | Buffer): Promise<string> {
  const site = await website({ '/': page(type, body) })
  return textOf(site.url)
}

test('the character set is the one of the header, else of a meta tag, else UTF-8', async () => {
  const latin = Buffer.from('Caf\xe9 \x80 5 \x96 \x93Bar\x94', 'latin1')
  const meta = (tag: string) => Buffer.concat([Buffer.from(`<head>${tag}</head><p>`), latin])
  const text = 'Café € 5 – “Bar”'
  assert.equal(await textOfPage('text/html; charset=ISO-8859-1', latin), text)
  assert.equal(await textOfPage('text/html; charset="windows-1252"', latin), text)
  assert.equal(await textOfPage('text/html', meta('<meta charset="latin1">')), text)
  assert.equal(
    await textOfPage(
      'text/html',
      meta(`<META HTTP-EQUIV='Content-Type' content='text/html; charset=iso-8859-1'/>`),
    ),
    text,
  )
  assert.equal(await textOfPage('text/html', 'Café – Łódź'), 'Café – Łódź')
  assert.equal(await textOfPage('text/html; charset=klingon', 'Łódź'), 'Łódź')
  assert.equal(await textOfPage('text/html', '<meta charset="utf-16le"><p>Łódź'), 'Łódź')
  assert.equal(await textOfPage('text/html; charset=utf-8', '<meta charset="latin1"><p>Łódź'), 'Łódź')
  const japanese = Buffer.from([0x93, 0x8c, 0x8b, 0x9e])
  assert.equal(await textOfPage('text/plain; charset=Shift_JIS', japanese), '東京')
})

test('the text is what a reader of the page sees, its title and description first', async () => {
  const text = await textOfPage(
    'text/html',
    `<!doctype html><html><head>
      <style>body { color: red }</style><script>track("</p>")</script>
      <title>Volta &amp; Söhne</title>
      <meta name="Description" content="Rents  cars by the hour"><meta name="keywords" content="spam">
      <meta property="og:description" content="Rents cars by the hour">
    </head><body>
      <nav><ul><li>Home<li>Imprint</ul></nav>
      <h1>Cars, <em>by the</em>&nbsp;hour</h1><p>First<br>second
      line<p hidden>unseen</p><svg><title>Icon</title><text>drawn</text></svg>
      <table><tr><td>Berlin<td>12</table><noscript>Switch JavaScript on</noscript>
      <template>later</template><select><option>DE</select>
      <footer>Volta GmbH\u0000, Berlin</footer>
    </body></html>`,
  )
  assert.deepEqual(text.split('\n'), [
    'Volta & Söhne',
    'Rents cars by the hour',
    'Cars, by the hour',
    'First',
    'second line',
    'Berlin',
    '12',
    'Volta GmbH , Berlin',
  ])
})

test('the text has at most 15,000 characters, and no half ones', async () => {
  const text = await textOfPage('text/html', `x${'😀'.repeat(10_000)}`)
  assert.equal(text, `x${'😀'.repeat(7499)}`)
  const lines = await textOfPage('text/html', '<p>Volta <p>Strom'.repeat(10_000))
  assert.equal(lines.length, 15_000)
  assert.ok((await textOfPage('text/plain', '&#xd800;\ud800')).isWellFormed())
  assert.ok((await textOfPage('text/html', '&#xd800;x')).isWellFormed())
})

test('a page that is made to be slow to read is read all the same', async () => {
  const nested = gzipSync(`Volta${'<b>'.repeat(600_000)}`)
  const site = await website({ '/': page('text/html', nested, { 'content-encoding': 'gzip' }) })
  assert.equal(await textOf(site.url), 'Volta')
})

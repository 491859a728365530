import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import {
  closeWebsites,
  DISALLOWED,
  endlessly,
  NOT_PUBLIC,
  readerHere,
  reasonOf,
  redirect,
  status,
  textOf,
  website,
} from '#src/testing/website.fixture.ts'

after(closeWebsites)

test('robots.txt is respected, and rules for our user agent come first', async () => {
  const disallow = 'User-agent: *\nDisallow: /private\n'
  const site = await website({
    '/robots.txt': disallow,
    '/': 'Volta',
    '/private': 'secret',
    '/moved': redirect('/private'),
  })
  const reader = readerHere()
  assert.equal(await textOf(site.url, reader), 'Volta')
  assert.equal(await reasonOf(`${site.url}private`, reader), DISALLOWED)
  assert.equal(await reasonOf(`${site.url}moved`, reader), DISALLOWED)
  assert.deepEqual(site.requests, ['/robots.txt', '/', '/moved'])

  const ours = await website({
    '/robots.txt': `${disallow}\nUser-agent: Deal-Pipeline\nDisallow: /`,
    '/': 'secret',
  })
  assert.equal(await reasonOf(ours.url), DISALLOWED)
  const open = await website({
    '/robots.txt': 'User-agent: *\nDisallow: /\n\nUser-agent: deal-pipeline\nDisallow:\n',
    '/': 'Volta',
  })
  assert.equal(await textOf(open.url), 'Volta')
})

test('the target of a redirect has its own robots.txt', async () => {
  const there = await website({ '/robots.txt': 'User-agent: *\nDisallow: /', '/': 'secret' })
  const here = await website({ '/': redirect(there.url) })
  assert.equal(await reasonOf(here.url), DISALLOWED)
  assert.deepEqual(there.requests, ['/robots.txt'])
})

test('a missing robots.txt allows everything; one that fails disallows everything until it works again', async () => {
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
    "The website's robots.txt failed (503), so its pages are treated as disallowed.",
  )
  const broken = await website({ '/robots.txt': (response) => response.destroy(), '/': 'Volta' })
  assert.equal(await reasonOf(broken.url, reader), 'The website closed the connection.')
  assert.deepEqual([site.requests, broken.requests], [['/robots.txt'], ['/robots.txt']])
  isFailing = false
  assert.equal(await textOf(site.url, reader), 'Volta')
})

test('redirects of robots.txt are followed and checked like those of pages', async () => {
  const rules = await website({ '/rules.txt': 'User-agent: *\nDisallow: /' })
  const moved = await website({ '/robots.txt': redirect(`${rules.url}rules.txt`), '/': 'secret' })
  assert.equal(await reasonOf(moved.url), DISALLOWED)
  const internal = await website({ '/robots.txt': redirect('http://127.0.0.2/'), '/': 'secret' })
  assert.equal(await reasonOf(internal.url), NOT_PUBLIC)
  assert.deepEqual(internal.requests, ['/robots.txt'])
  const loop = await website({ '/robots.txt': redirect('/robots.txt'), '/': 'Volta' })
  assert.equal(await textOf(loop.url), 'Volta')
})

test('robots.txt is read up to 500 KB and cached', async () => {
  const filler = `# ${'x'.repeat(98)}\n`
  const huge = (rule: string, bytes: number) =>
    `User-agent: *\nDisallow: /private\n${filler.repeat(bytes / 100)}${rule}`
  const late = await website({ '/robots.txt': huge('Disallow: /', 600_000), '/': 'Volta' })
  assert.equal(await textOf(late.url), 'Volta')
  const within = await website({ '/robots.txt': huge('Disallow: /', 400_000), '/': 'Volta' })
  assert.equal(await reasonOf(within.url), DISALLOWED)

  const endless = await website({
    '/robots.txt': (response) => Readable.from(endlessly(filler)).pipe(response),
    '/': 'Volta',
  })
  const reader = readerHere()
  assert.equal(await textOf(endless.url, reader), 'Volta')
  assert.equal(await textOf(endless.url, reader), 'Volta')
  assert.deepEqual(endless.requests, ['/robots.txt', '/', '/'])
})

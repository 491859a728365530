import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { closeWebsites, page, textOf, textOfPage, website } from '#src/testing/website.fixture.ts'

after(closeWebsites)

test('the character set comes from the header, then from a meta tag, and defaults to UTF-8', async () => {
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

test('the text is what visitors see, with title and description first', async () => {
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

test('the text has at most 15,000 characters and no split surrogate pairs', async () => {
  const text = await textOfPage('text/html', `x${'😀'.repeat(10_000)}`)
  assert.equal(text, `x${'😀'.repeat(7499)}`)
  const lines = await textOfPage('text/html', '<p>Volta <p>Strom'.repeat(10_000))
  assert.equal(lines.length, 15_000)
  assert.ok((await textOfPage('text/plain', '&#xd800;\ud800')).isWellFormed())
  assert.ok((await textOfPage('text/html', '&#xd800;x')).isWellFormed())
})

test('a page built to be slow to parse is still read', async () => {
  const nested = gzipSync(`Volta${'<b>'.repeat(600_000)}`)
  const site = await website({ '/': page('text/html', nested, { 'content-encoding': 'gzip' }) })
  assert.equal(await textOf(site.url), 'Volta')
})

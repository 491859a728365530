import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readWebAddress } from './web-address.ts'

const read = (text: string) => readWebAddress(text, 'website')

test('a web address stays as it is, and a host gets a scheme', () => {
  for (const text of [
    'https://www.nordlys.example/about?x=1#team',
    'http://nordlys.example',
    'HTTPS://Nordlys.Example',
    'https://en.wikipedia.org/wiki/Heron_(bird)',
    'https://nordlys.example/a,b;c',
    'https://web.archive.org/web/2020/https://nordlys.example',
    'https://nordlys.example/?next=https://other.example',
  ])
    assert.deepEqual([read(text).value, read(text).note], [text, undefined], text)
  for (const text of [
    'nordlys.example',
    'www.nordlys.example/',
    'nordlys.example:8080/x',
    'nordlys.co.uk',
    '192.0.2.7',
  ])
    assert.deepEqual([read(text).value, read(text).note], [`https://${text}`, undefined], text)
})

test('a mistyped scheme is repaired, with a note', () => {
  for (const [text, value] of [
    ['http//kestrel.example', 'http://kestrel.example'],
    ['https;//kestrel.example', 'https://kestrel.example'],
    ['https:/kestrel.example', 'https://kestrel.example'],
    ['http:\\\\kestrel.example', 'http://kestrel.example'],
    ['https://https://kestrel.example/x', 'https://kestrel.example/x'],
    ['http://https//kestrel.example', 'https://kestrel.example'],
    ['htp://kestrel.example', 'http://kestrel.example'],
    ['hhttps://kestrel.example', 'https://kestrel.example'],
    ['//kestrel.example/about', 'https://kestrel.example/about'],
    ['http:www.kestrel.example', 'http://www.kestrel.example'],
  ] as const) {
    assert.equal(read(text).value, value, text)
    assert.ok(read(text).note, text)
  }
  assert.equal(read('ｈｔｔｐｓ：／／kestrel.example').value, 'https://kestrel.example')
})

test('one address is taken from what surrounds it, with a note', () => {
  for (const [text, value] of [
    ['[kestrel](https://kestrel.example)', 'https://kestrel.example'],
    ['=HYPERLINK("https://kestrel.example"; "Kestrel")', 'https://kestrel.example'],
    ['=LIEN_HYPERTEXTE("https://kestrel.example";"Kestrel")', 'https://kestrel.example'],
    ['<a href="https://kestrel.example">Kestrel</a>', 'https://kestrel.example'],
    ['Website: https://kestrel.example', 'https://kestrel.example'],
    ['www.kestrel.example/ (old: kestrel-old.example)', 'https://www.kestrel.example/'],
    ['see kestrel.com', 'https://kestrel.com'],
    ['info@kestrel.example www.kestrel.example', 'https://www.kestrel.example'],
    ['kestrel.example, kestrel-app.example', 'https://kestrel.example'],
    ['kestrel.example;kestrel-app.example', 'https://kestrel.example'],
    ['https://kestrel.example https://kestrel-app.example', 'https://kestrel.example'],
    ['https://kestrel.example,https://kestrel-app.example', 'https://kestrel.example'],
    ['www.kestrel.com / www.kestrel.de', 'https://www.kestrel.com'],
  ] as const) {
    assert.equal(read(text).value, value, text)
    assert.ok(read(text).note, text)
  }
  assert.equal(read('<https://kestrel.example>').value, 'https://kestrel.example')
  assert.equal(read('(https://kestrel.example).').value, 'https://kestrel.example')
})

test('text that is not a web address is an error', () => {
  for (const text of [
    'Coming soon',
    'kestrel,example',
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://kestrel.example',
    'https://intranet',
    'https://www.',
    'localhost',
    '@kestrel',
    'v1.0',
    'e.g.',
    'https://user:secret@kestrel.example',
    `https://kestrel.example/${'x'.repeat(3000)}`,
  ])
    assert.match(read(text).error ?? '', /must be a web address/, text)
  for (const text of [
    'ceo@kestrel.example',
    'mailto:ceo@kestrel.example',
    'https://sales@kestrel.example',
    'a@x.example; b@x.example',
  ])
    assert.match(read(text).error ?? '', /An email address is not a web address/, text)
})

test('a scheme in front of nothing is blank', () => {
  for (const text of ['https://', 'http:', 'http://-', 'https://n/a', 'http://none'])
    assert.deepEqual([read(text).value, read(text).error], [undefined, undefined], text)
})

test('an international domain and its form in ASCII are one', () => {
  assert.equal(read('https://xn--bcher-kva.example/a').value, 'https://bücher.example/a')
  assert.equal(read('xn--bcher-kva.example').value, 'https://bücher.example')
  assert.equal(read('bücher.example').value, 'https://bücher.example')
})

test('any text takes linear time and gives a web address or none', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200, unit: 'grapheme' }), (text) => {
      const { value } = read(text)
      assert.ok(value === undefined || /^https?:\/\//i.test(value))
    }),
  )
  const start = performance.now()
  for (const part of ['[', '(', 'http://', 'a.', '@', ',', ' ', '"', 'www.', 'h', '='])
    read(part.repeat(Math.floor(2000 / part.length)))
  assert.ok(performance.now() - start < 1000)
})

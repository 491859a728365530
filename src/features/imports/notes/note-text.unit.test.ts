import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markdownOf } from './html-text.ts'
import { readTime } from './note-time.ts'

test('HTML becomes Markdown without anything that runs, and other text stays as it is', () => {
  for (const [html, markdown] of [
    ['a < b and c > d', 'a < b and c > d'],
    ['Use List<String> here', 'Use List<String> here'],
    ['<p>One</p><p>Two<br>three</p>', 'One\n\nTwo\nthree'],
    [
      '<div><h2>Plan</h2><ol><li>a</li><li>b<ul><li>c</li></ul></li></ol></div>',
      '## Plan\n\n1. a\n2. b\n  - c',
    ],
    [
      '<a href="https://a.example/x">site</a> <a href="javascript:alert(1)">bad</a>',
      '[site](https://a.example/x) bad',
    ],
    ['<p onclick="x()">Hi<script>alert(1)</script><style>p{}</style></p>', 'Hi'],
    ['<p>&lt;img src=x onerror=alert(1)&gt; &amp; more</p>', '\\<img src=x onerror=alert(1)> & more'],
    ['<b>bold</b> and <i>soft</i>', '**bold** and *soft*'],
    [`${'<div>'.repeat(5000)}deep`, 'deep'],
  ] as const)
    assert.equal(markdownOf(html), markdown, html.slice(0, 80))
})

test('times keep their time of day, and days are noon', () => {
  const read = (text: string, order: 'dmy' | 'mdy' | null = null) => readTime(text, { order }, 'happened_at')
  for (const [text, time] of [
    ['2026-03-02', '2026-03-02T12:00:00.000Z'],
    ['2026-03-02T09:30:00Z', '2026-03-02T09:30:00.000Z'],
    ['2026-03-02 09:30', '2026-03-02T09:30:00.000Z'],
    ['2026-03-02T09:30:00+02:00', '2026-03-02T07:30:00.000Z'],
    ['2 March 2026', '2026-03-02T12:00:00.000Z'],
    ['Mar 2, 2026 3:05 PM', '2026-03-02T15:05:00.000Z'],
    ['1772443800000', '2026-03-02T09:30:00.000Z'],
  ] as const)
    assert.deepEqual(read(text), { value: time }, text)
  assert.deepEqual(read('03/04/2026 12:15 am', 'mdy'), { value: '2026-03-04T00:15:00.000Z' })
  assert.match(read('03/04/2026').error ?? '', /order of day and month is ambiguous/)
  assert.match(read('2026-02-30').error ?? '', /must be a date/)
  const { value, note } = read('2026-02-03 25:00')
  assert.deepEqual(
    [value, note],
    ['2026-02-03T12:00:00.000Z', 'The time of day cannot be read, so only the day was stored.'],
  )
})

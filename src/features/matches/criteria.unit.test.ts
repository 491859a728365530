import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rocchio } from '#src/features/search/weighted/weighted-query.ts'
import { deriveCriteria } from './criteria.ts'
import { bestQuote, quotableSentences } from './quotes.ts'
import { readBlocks } from './report-blocks.ts'

const derive = (report_markdown: string | null, summary: string | null = null) =>
  deriveCriteria({ title: 'Robots', summary, report_markdown }).map(
    ({ text, weight, kind, negative }) => `${text} ${weight} ${kind}${negative ? ' negative' : ''}`,
  )

test('the criteria are the title and the lists, and headings say what kind they are', () => {
  const report = `# Robots

- A list of *no* special section
## Why now
- Wages rise
### Labor
- Too few people
## What we look for ##
1. **Payback**: under [12 months](https://example.com)
   on a single site
### Installed in a weekend
### Sold as a service
- Paid per pick
## Must have
| criterion | good |
|---|---|
| gross margin | 45% |
| 1 | recurring revenue |
## What we avoid
* Hardware without software
## What could go wrong
- Prices fall
`
  assert.deepEqual(derive(report), [
    'Robots 3 nice',
    'A list of no special section 0.5 nice',
    'Payback: under 12 months on a single site 1 nice',
    'Installed in a weekend 1 nice',
    'Paid per pick 1 nice',
    'gross margin 1 must',
    'recurring revenue 1 must',
    'Hardware without software 1 nice negative',
  ])
})

test('without lists, the sentences of the summary are the criteria', () => {
  const expected = ['Robots 3 nice', 'Labor is scarce. 1 nice', 'Sites are small. 1 nice']
  assert.deepEqual(derive('# Robots\n\nProse alone.', 'Labor is scarce. Sites are small.'), expected)
  assert.deepEqual(derive(null), ['Robots 3 nice'])
})

test('repeated and endless criteria are left out, and long ones are shortened', () => {
  const items = Array.from({ length: 50 }, (_value, n) => `- Item number ${n}\n- robots`).join('\n')
  const criteria = derive(`## Criteria\n- ${'word '.repeat(100)}\n${items}`)
  assert.equal(criteria.length, 30)
  assert.match(criteria[1] ?? '', /^(?:word )+word… 1 nice$/)
  assert.equal(criteria.filter((text) => /^robots/i.test(text)).length, 1)
})

test('endless reports of any shape have at most 30 criteria', () => {
  for (const part of ['# ', '#', '- *a ', '*_', '|', '- a\n', '<a ', '[a](', ' '])
    assert.ok(derive(`# ${part.repeat(500_000 / part.length)}`).length <= 30)
})

test('code, images and marks are no part of a criterion', () => {
  const blocks = readBlocks(
    '```\n- code\n```\n- [x] ![logo](a.png) `fast` _and_ snake_case <b>bold</b>\n\n  later\n',
  )
  assert.deepEqual(blocks, [{ kind: 'item', text: 'fast and snake_case bold' }])
})

test('a quote is the sentence with the rarest words of the criterion, or the first one', () => {
  const sentences = quotableSentences({
    name: 'Nordlys',
    industry_category: 'Robotics',
    activity_description: 'We are a company. Picks goods in warehouses. Founded in 2017.',
    hq_city: null,
    country: 'Norway',
  })
  const [, picks] = sentences
  const rarity = new Map([...(picks?.dimensions ?? [])].map((dimension) => [dimension, 1]))
  assert.equal(bestQuote(sentences, rarity), 'Picks goods in warehouses.')
  assert.equal(bestQuote(sentences, new Map([[-1, 5]])), 'We are a company.')
  assert.equal(bestQuote([], rarity), null)
})

test('feedback moves a query toward liked vectors and away from disliked ones', () => {
  const at = (x: number, y: number) =>
    new Map([
      [0, x],
      [1, y],
    ])
  const moved = rocchio(at(2, 0), [at(0, 5)], [at(3, 0)])
  assert.deepEqual(
    [...moved],
    [
      [0, 1 - 0.15],
      [1, 0.75],
    ],
  )
  assert.deepEqual(
    [...rocchio(at(3, 4), [], [])],
    [
      [0, 0.6],
      [1, 0.8],
    ],
  )
})

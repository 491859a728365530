import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { gitlabTracker } from './gitlab.ts'
import { harmlessTitle, isMarked, markdownBody } from './harmless-text.ts'
import type { Issue } from './issue.ts'

const issue = (parts: Partial<Issue>): Issue => ({
  reference: 'fb_01jw3f8x61g7v9x1z3b5d7f9h2',
  created_at: new Date(),
  title: 'Title',
  label: 'bug',
  facts: {},
  text: '',
  link: 'https://deals.example.com/api/feedback/fb_1',
  ...parts,
})

const NASTY = [
  '@everyone and @org/team',
  'closes #1, fixes example/deals#12 and GH-12',
  'see !12, $12, &12, %12 and ~bug or ~"a label"',
  '[~accountid:5b10] {noformat} {code} [~ada]',
  '<img src=https://tracker.example/pixel.png> <!-- hidden',
  '![pixel](https://tracker.example/pixel.png)',
  'https://github.com/example/deals/issues/12',
  '```\n@ada\n```',
  '`````\n````text\n/close',
  '~~~\n/label ~bug\n~~~',
  '/close\n/assign @ada\n  /confidential',
  '</details></code></pre><script>alert(1)</script>',
  '\u202eevil\u202c',
  '| a | b |\n|---|---|',
  '[ ] task\n- [x] done',
  '---\nfront: matter\n---',
  '\r/close\r\n/close',
  'Feedback fb_01jw3f8x61g7v9x1z3b5d7f9h3',
]

/** Lines of Markdown that are in no code block (CommonMark 0.31, section 4.5). */
function linesOutsideCode(markdown: string): string[] {
  let fence = ''
  return markdown.split(/\r\n|\r|\n/).filter((line) => {
    const [, ticks = '', rest = ''] = /^ {0,3}(`{3,})(.*)$/.exec(line) ?? []
    if (fence) {
      if (ticks.length >= fence.length && rest.trim() === '') fence = ''
      return false
    }
    if (ticks && !rest.includes('`')) fence = ticks
    return !fence
  })
}

/** A line without its code spans (section 6.1). */
const withoutSpans = (line: string): string => line.replace(/(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)/g, '')

const OWN_LINES =
  /^(?:Feedback fb_01jw3f8x61g7v9x1z3b5d7f9h2|- (?:title|page|reporter): |- stored at: <https:\/\/deals\.example\.com\/api\/feedback\/fb_1>|)$/

function assertContained(body: string, about: string): void {
  for (const line of linesOutsideCode(body)) assert.match(withoutSpans(line), OWN_LINES, about)
}

test('user input goes into code and stays readable', () => {
  for (const nasty of NASTY) {
    const body = markdownBody(issue({ text: nasty, title: nasty, facts: { page: nasty, reporter: nasty } }))
    assertContained(body, nasty)
    const readable = nasty.replace(/\r\n?/g, '\n').replace(/[\u202a-\u202e]/g, '')
    assert.ok(body.includes(readable), body)
  }
})

test('input cannot break out of the code', () => {
  const text = fc
    .array(
      fc.constantFrom(...NASTY, '`', '``', '```', '````', '\n', '\r', '\r\n', ' ', '\t', '~~~', '@ada', 'x'),
    )
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, text, (first, second) => {
      assertContained(markdownBody(issue({ text: first, facts: { page: second } })), first + second)
    }),
    { numRuns: 2000 },
  )
})

test('a title is one line without mentions and references', () => {
  for (const nasty of NASTY) {
    const title = harmlessTitle(nasty)
    assert.doesNotMatch(title, /[\r\n\u202e]|@[\w"]|[#!$&%]\d|~["\w]|GH-\d|:\/\/|<[\w!/]/, nasty)
    assert.equal(
      title.replaceAll('\u200b', ''),
      nasty
        .replace(/[\u202a-\u202e]/g, '')
        .replace(/\s+/g, ' ')
        .trim(),
    )
  }
  assert.equal(harmlessTitle('R&D: 100% of it, 3 < 4, a@ b'), 'R&D: 100% of it, 3 < 4, a@ b')
  assert.equal(harmlessTitle(' \u200b\u200d '), '(no title)')
  for (const long of ['x'.repeat(300), '🚀'.repeat(300), '@a'.repeat(150)]) {
    const title = harmlessTitle(long)
    assert.ok(title.length <= 255 && title.endsWith('…') && title.isWellFormed(), title)
    assert.ok(markdownBody(issue({ title: long })).includes(`- title: \` ${long} \``))
  }
})

test('an issue is recognized by its first line only', () => {
  const other = { reference: 'fb_01jw3f8x61g7v9x1z3b5d7f9h3' }
  const body = markdownBody(issue({ text: `Feedback ${other.reference}` }))
  assert.equal(isMarked(body, issue({})), true)
  assert.equal(isMarked(body.replaceAll('\n', '\r\n'), issue({})), true)
  assert.equal(isMarked(body, other), false)
  assert.equal(isMarked(null, other), false)
})

test('GitLab gets no quick actions, wherever it ends our code block', async (context) => {
  let sent = ''
  context.mock.method(globalThis, 'fetch', async (_url: string, { body }: RequestInit) => {
    sent = JSON.parse(String(body)).description
    return Response.json({ iid: 1, web_url: 'https://gitlab.com/example/deals/-/issues/1' }, { status: 201 })
  })
  const tracker = gitlabTracker({
    kind: 'gitlab',
    url: 'https://gitlab.com/api/v4',
    token: 't',
    project: 'a/b',
  })
  await tracker.file(
    issue({ text: '```\n/close\r/label ~x\r\n \t/assign @ada' }),
    AbortSignal.timeout(60_000),
  )
  assert.doesNotMatch(sent, /^\s*\/\w/m)
  assert.match(sent, /close/)
})

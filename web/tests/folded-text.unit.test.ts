import assert from 'node:assert/strict'
import { test } from 'node:test'
import { excerptOf, findMatches } from '#web/format/folded-text.ts'

const TEXT = 'Makes picking robots for warehouses'
const shown = (words: string[], room: { visible: number; lead: number }) =>
  excerptOf(TEXT, words, room)
    .map(({ text, isMatch }) => (isMatch ? `[${text}]` : text))
    .join('')

test('an excerpt starts shortly before a match that would not be visible', () => {
  assert.equal(shown(['robot'], { visible: 8, lead: 4 }), '…[robot]s for warehouses')
  assert.equal(shown(['robot'], { visible: 8, lead: 14 }), '…picking [robot]s for warehouses')
})

test('an excerpt is the whole text if the match is visible, or there is none', () => {
  assert.equal(shown(['robot'], { visible: 60, lead: 14 }), 'Makes picking [robot]s for warehouses')
  assert.equal(shown(['makes'], { visible: 8, lead: 4 }), '[Makes] picking robots for warehouses')
  assert.equal(shown(['submarine'], { visible: 8, lead: 4 }), TEXT)
})

test('every word is marked, in any case and spelling, and an address by its host', () => {
  const marked = (text: string, search: string) =>
    findMatches(text, [search])
      .map(({ text: piece, isMatch }) => (isMatch ? `[${piece}]` : piece))
      .join('')
  for (const [text, search, expected] of [
    ['Optik Müller', 'müller  optik', '[Optik] [Müller]'],
    ['Müller, Mueller, Muller', 'mueller', '[Müller], [Mueller], Muller'],
    ['Müller, Mueller, Muller', 'Müller', '[Müller], [Mueller], [Muller]'],
    ['Møller', 'moeller', '[Møller]'],
    ['Große Straße', 'STRASSE', 'Große [Straße]'],
    ['See acme.example now', 'https://www.acme.example/about?x=1', 'See [acme.example] now'],
    ['北京机器人', '机器人 北京', '[北京机器人]'],
    ['Blunt', 'blue', 'Blunt'],
    ['Nothing', '', 'Nothing'],
    ['', 'x', ''],
  ] as const)
    assert.equal(marked(text, search), expected, search)
})

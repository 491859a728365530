import assert from 'node:assert/strict'
import { test } from 'node:test'
import { excerptOf } from '#web/screens/companies/folded-text.ts'

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

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { escapeFormula, unescapeFormula, writeCsv } from './write.ts'

test('cells that a spreadsheet would run as a formula are escaped, and come back', () => {
  for (const text of ['=1+1', '+1', '-2', '@x', '\tx', '\n=1', '+49 30 1234', "'=1", "''=1", '＝1']) {
    assert.equal(escapeFormula(text), `'${text}`)
    assert.equal(unescapeFormula(escapeFormula(text)), text)
  }
  for (const text of ["'quoted'", 'a=b', '', 'x\u200b=1']) assert.equal(escapeFormula(text), text)
  fc.assert(fc.property(fc.string(), (text) => unescapeFormula(escapeFormula(text)) === text))
})

test('invisible characters before a formula do not hide it', () => {
  for (const invisible of [
    '\u200b',
    '\ufeff',
    '\u00ad',
    '\u2060',
    '\u202e',
    '\u115f',
    "\u200b'",
    '\u200b\u200d',
  ]) {
    const text = `${invisible}=HYPERLINK("https://evil.example")`
    assert.equal(escapeFormula(text), `'${text}`)
    assert.equal(unescapeFormula(escapeFormula(text)), text)
  }
})

test('cells with delimiters, quotes and line ends are quoted', () => {
  assert.equal(writeCsv([['a,b', 'say "x"', 'c\rd', null, 1]]), '"a,b","say ""x""","c\rd",,1\r\n')
})

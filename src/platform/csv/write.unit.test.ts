import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { escapeFormula, unescapeFormula, writeCsv } from './write.ts'

test('cells that a spreadsheet would run as a formula are escaped, and come back', () => {
  for (const text of ['=1+1', '+1', '-2', '@x', '\tx', '\nx', '+49 30 1234', "'=1", "''=1", '＝1']) {
    assert.equal(escapeFormula(text), `'${text}`)
    assert.equal(unescapeFormula(escapeFormula(text)), text)
  }
  for (const text of ["'quoted'", 'a=b', '', 'x\u200b=1']) assert.equal(escapeFormula(text), text)
  fc.assert(fc.property(fc.string(), (text) => unescapeFormula(escapeFormula(text)) === text))
})

test('formulas after a separator of another dialect are escaped, and come back', () => {
  for (const [text, escaped] of [
    ['x;=1+1', "x;'=1+1"],
    ['x\t@SUM(1)', "x\t'@SUM(1)"],
    ['x\r\n-2+3;+1', "x\r\n'-2+3;'+1"],
    ["x;'=1", "x;''=1"],
    ['x;\u200b=1', "x;'\u200b=1"],
    ['\t=1', "'\t'=1"],
    ['=1;=2', "'=1;'=2"],
  ] as const) {
    assert.equal(escapeFormula(text), escaped)
    assert.equal(unescapeFormula(escaped), text)
  }
  for (const text of ['a; b', 'a;b=c', 'a,=1', 'one\r\ntwo']) assert.equal(escapeFormula(text), text)
  const characters = fc.constantFrom(';', '\t', '\r', '\n', "'", '=', '-', '\u200b', 'a')
  fc.assert(
    fc.property(fc.string({ unit: characters }), (text) => unescapeFormula(escapeFormula(text)) === text),
  )
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

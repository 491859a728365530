import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CountFormat, readCount } from './counts.ts'

const FORMAT: CountFormat = { decimal: null, factor: 1, hasPlainNumbers: false }
const read = (text: string, format: Partial<CountFormat> = {}) =>
  readCount(text, { ...FORMAT, ...format }, 'employee_count')

test('whole numbers as people write them', () => {
  for (const [text, value] of [
    ['58', 58],
    ['1,200', 1200],
    ['1.200', 1200],
    ['1 200', 1200],
    ['1’200', 1200],
    ['12.0', 12],
    ['3.5k', 3500],
    ['2.3 K', 2300],
    ['~120', 120],
    ['approx. 80', 80],
    ['about 80 people', 80],
    ['ca. 80 Mitarbeiter', 80],
    ['80 employés', 80],
    ['15 FTEs', 15],
    ['１２', 12],
    ['self-employed', 1],
    ['8.5', undefined],
    ['12,5', undefined],
    ['1,23,4', undefined],
    ['-5', undefined],
    ['many', undefined],
    ['NaN', undefined],
    ['1e400', undefined],
    ['99999999999999999', undefined],
    ['1'.repeat(100_000), undefined],
  ] as const)
    assert.equal(read(text).value, value, text)
})

test('ranges and limits give their lowest number, with a note', () => {
  for (const [text, value] of [
    ['11-50', 11],
    ['11–50', 11],
    ['1 - 10 employees', 1],
    ['1,001 to 5,000', 1001],
    ['50 bis 100', 50],
    ['1K-5K', 1000],
    ['51...100', 51],
    ['10,000+', 10_000],
    ['10K+', 10_000],
    ['> 200', 200],
    ['more than 100', 100],
    ['über 100', 100],
    ['<10', 1],
    ['up to 50 people', 1],
    ['c_00051_00100', 51],
    ['c_10001_max', 10_001],
  ] as const)
    assert.deepEqual(read(text), { value, note: 'The lowest number of a range was stored.' }, text)
  for (const text of ['50-11', '1-5k', '<0', '11-50-90', '5 apples']) assert.ok(read(text).error, text)
})

test('approximate numbers are noted', () => {
  for (const text of ['ca. 40', '~40', 'about 40 people', '≈ 40', 'etwa 40 Mitarbeiter'])
    assert.deepEqual(read(text), { value: 40, note: 'An approximate number was stored.' }, text)
  for (const text of ['40', '40 people', '0.04k']) assert.equal(read(text).note, undefined, text)
  assert.match(read('~11-50').note ?? '', /lowest number/)
})

test('a date that a spreadsheet made of a range is called that', () => {
  for (const text of [
    'Nov-50',
    '10-Feb',
    '01-Oct',
    '2-Nov-2026',
    'Okt 50',
    '2026-11-01',
    '11/1/2026',
    'janv-50',
    '11. Feb',
  ])
    assert.match(read(text).error ?? '', /a range that a spreadsheet turned into a date/, text)
  assert.doesNotMatch(read('Novices').error ?? '', /spreadsheet/)
})

test('the decimal sign of the column and its unit count', () => {
  assert.equal(read('1.200', { decimal: '.' }).value, undefined)
  assert.equal(read('1.200', { decimal: ',' }).value, 1200)
  assert.equal(read('1.5', { factor: 1000 }).value, 1500)
  assert.equal(read('1200', { hasPlainNumbers: true }).value, 1200)
})

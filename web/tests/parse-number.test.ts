import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseNumber } from '#web/format/parse-number.ts'

test('parses numbers as people type them', () => {
  for (const [text, number] of [
    ['1200000', 1_200_000],
    ['36,814,000', 36_814_000],
    ['1.200.000', 1_200_000],
    ['1.200.000,50', 1_200_000.5],
    ['1,200,000.50', 1_200_000.5],
    ["1'200'000", 1_200_000],
    ['1 200 000,5', 1_200_000.5],
    ['850.000', 850_000],
    ['2.5', 2.5],
    ['2,5', 2.5],
    ['0.125', 0.125],
    ['€36.8M', 36_800_000],
    ['12.5m', 12_500_000],
    ['1,250 Mio EUR', 1_250_000],
    ['12,34,567', 1_234_567],
    ['2 lakh', 200_000],
    ['-3k', -3000],
    ['0', 0],
  ] as const)
    assert.equal(parseNumber(text), number, text)
})

test('rejects text that is not a number', () => {
  for (const text of ['', 'abc', '1e3', '12x', '1,2,3', '1.2.3', '--1', '1.2.000,5', '€', 'm'])
    assert.equal(parseNumber(text), undefined, text)
})

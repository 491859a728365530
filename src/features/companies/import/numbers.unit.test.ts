import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseAmount, parseCount, parseNumber, parseYear } from './numbers.ts'

const table = (parse: (text: string) => number | undefined, cases: Record<string, number | undefined>) => {
  for (const [text, value] of Object.entries(cases)) assert.equal(parse(text), value, text)
}

test('counts: whole numbers, and the lower bound of ranges', () => {
  table(parseCount, {
    '58': 58,
    '1,200': 1200,
    '1.200': 1200,
    '1 200': 1200,
    '12.0': 12,
    '8.5': undefined,
    '12,5': undefined,
    '1.234': 1234,
    '1,23,4': undefined,
    '11-50': 11,
    '1,001 to 5,000': 1001,
    '10,000+': 10_000,
    many: undefined,
    '-5': undefined,
    '1e400': undefined,
    NaN: undefined,
  })
})

test('years and dates', () => {
  table(parseYear, {
    '2012': 2012,
    '2012-05-01': 2012,
    '01.05.1999': 1999,
    'Winter 2012': 2012,
    soon: undefined,
    '12': undefined,
  })
})

test('amounts in euros', () => {
  table(parseAmount, {
    '1200000': 1_200_000,
    '1,200,000.50': 1_200_000.5,
    '1.200.000,50': 1_200_000.5,
    '1,200': 1200,
    '1,5': 1.5,
    '850.000': 850_000,
    '0.123': 0.12,
    '1.234m': 1_234_000,
    '€1.2m': 1_200_000,
    '1,2 Mio EUR': 1_200_000,
    '3bn': 3e9,
    "1'000'000": 1_000_000,
    '0.1': 0.1,
    '1e-7': undefined,
    $5m: undefined,
    '5m USD': undefined,
    '-3': undefined,
    NaN: undefined,
    Infinity: undefined,
  })
})

test('numbers in the format of JavaScript are parsed exactly', () => {
  for (const amount of [0, 0.1, 1.234, 1e-7, 123_456_789.12, 1e15])
    assert.equal(parseNumber(String(amount)), amount)
})

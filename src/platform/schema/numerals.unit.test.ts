import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Decimal, numeralValue, parseNumeral } from './numerals.ts'

const assertRead = (text: string, decimal: Decimal | null, value: number | undefined): void => {
  const numeral = parseNumeral(text)
  assert.equal(numeral && numeralValue(numeral, decimal), value, `${text} with ${decimal}`)
}

test('a number shows its decimal sign where it can only be one', () => {
  for (const [text, value, decimal] of [
    ['1200', 1200, null],
    ['12.5', 12.5, '.'],
    ['12,50', 12.5, ','],
    ['0.125', 0.125, '.'],
    ['1234.567', 1234.567, '.'],
    ['1,200,000', 1_200_000, '.'],
    ['1.200.000', 1_200_000, ','],
    ['1,200.5', 1200.5, '.'],
    ['1.200,5', 1200.5, ','],
    ['20,00,00,000', 200_000_000, '.'],
    ['1,83,58,860.25', 18_358_860.25, '.'],
    ['1 200 000,5', 1_200_000.5, ','],
    ["1'200'000.5", 1_200_000.5, '.'],
    ['1’200', 1200, null],
    ['3.2E+06', 3_200_000, '.'],
    ['4,5e3', 4500, ','],
    ['.5', 0.5, '.'],
    ['12.', 12, null],
  ] as const) {
    const numeral = parseNumeral(text)
    assert.deepEqual([numeral?.value, numeral?.decimal, numeral?.open], [value, decimal, null], text)
  }
})

test('one sign before three digits is open until the column decides', () => {
  assertRead('64.125', '.', 64.125)
  assertRead('64.125', ',', 64_125)
  assertRead('64,125', ',', 64.125)
  assertRead('64,125', '.', 64_125)
  assertRead('64.125', null, undefined)
})

test('digits that no language groups so are no number', () => {
  for (const text of [
    '1.2.3',
    '12 34',
    '1,23,4',
    '1.234,567,8',
    '1 234.567 8',
    ',',
    '',
    '1e',
    '1 200,000,5',
    '9'.repeat(50),
  ])
    assert.equal(parseNumeral(text), undefined, text)
})

test('a number in any notation is read as its value', () => {
  const notation = fc.constantFrom<[Decimal, string]>(
    ['.', ','],
    ['.', ' '],
    ['.', "'"],
    [',', '.'],
    [',', ' '],
    ['.', ''],
    [',', ''],
  )
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 1e12 }),
      fc.integer({ min: 0, max: 99 }),
      notation,
      (whole, cents, [decimal, group]) => {
        const digits = String(whole).replace(/\B(?=(\d{3})+$)/g, group)
        assertRead(
          `${digits}${decimal}${String(cents).padStart(2, '0')}`,
          decimal,
          Number(`${whole}.${String(cents).padStart(2, '0')}`),
        )
      },
    ),
  )
})

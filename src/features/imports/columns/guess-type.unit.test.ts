import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CustomFieldType } from '#src/features/fields/schema.ts'
import { currencyIn, guessType } from './guess-type.ts'

const repeated = (values: string[], times = 10) => Array.from({ length: times }, () => values).flat()

test('the type of a column is guessed from its cells', () => {
  const cases: [CustomFieldType, string[]][] = [
    ['text', []],
    ['text', ['-', 'N/A']],
    ['boolean', ['yes', 'No']],
    ['boolean', ['checked', '✗', '-']],
    ['number', ['1', '0', '-2.5', '1,000']],
    ['number', ['-3', '5', '1.200,5', 'N/A']],
    ['text', ['007', '12']],
    ['text', ['0123', '4567']],
    ['text', ['+4912345', '4912346']],
    ['text', ['4912346', '+49 123 456']],
    ['money', ['€5', '1.2m EUR']],
    ['money', ['$140 ', '$7.44B', 'None']],
    ['text', ['€5', '$5']],
    ['text', ['€5', '5']],
    ['date', ['2026-01-31', '1.2.2026']],
    ['date', ['11/27/2026', 'Nov 3, 2026', '2026-11-27 09:30']],
    ['email', ['ada@example.com']],
    ['url', ['https://example.com', 'http://example.org/a']],
    ['text', ['example.com', 'Acme']],
    ['select', repeated(['Winter 2026', 'Summer 2025'])],
    ['select', repeated(['London, UK', 'Paris, France'])],
    ['text', ['Winter 2026', 'Summer 2025']],
    ['multi_select', repeated(['B2B; SaaS', 'SaaS; Health', 'Health'])],
    ['multi_select', repeated(["['B2B', 'SaaS']", "['SaaS']", "['B2B', 'Health']"])],
    ['text', Array.from({ length: 40 }, (_value, n) => `Name ${n}`)],
    ['long_text', ['x'.repeat(300)]],
    ['long_text', ['two\nlines']],
  ]
  for (const [type, cells] of cases) assert.equal(guessType(cells), type, cells.slice(0, 3).join(' / '))
})

test('numbers are text where the name of the column says that they are ids, and where they are too long', () => {
  for (const name of [
    ...[
      'ID',
      'Record ID',
      'Organization Id',
      'organizationId',
      'record_id',
      'ID (HubSpot)',
      'CNPJ',
      'VAT',
      'VAT ID',
    ],
    ...[
      'Company number',
      'Phone Number',
      'Reg. No.',
      'SIC code',
      'Code postal',
      'Handelsregisternummer',
      'USt-IdNr.',
    ],
    ...['SIREN', 'Org.nr', 'PLZ', 'ИНН', 'Numéro', 'RecordIDs'],
  ]) {
    assert.equal(guessType(['12345678', '7'], name), 'text', name)
    assert.equal(guessType(['yes', 'no'], name), 'boolean', name)
  }
  for (const name of [
    '',
    'Paid',
    'Number of rounds',
    'No. of deals',
    'Total number',
    'VAT amount',
    'Nodes',
    'Bid',
  ])
    assert.equal(guessType(['12345678', '7'], name), 'number', name)
  assert.equal(guessType(['12345678901234567'], 'Reach'), 'text')
  assert.equal(guessType(['12.345678901234567'], 'Reach'), 'number')
})

test('the currency is that of all cells, or of the name of the column', () => {
  assert.equal(currencyIn(['$5', 'US$ 7m', '-'], 'Raised'), 'USD')
  assert.equal(currencyIn(['5', '7'], 'Raised (GBP m)'), 'GBP')
  assert.equal(guessType(['5', '7'], 'Raised (GBP m)'), 'money')
  assert.equal(currencyIn(['$5', '€7'], 'Raised'), undefined)
  assert.equal(currencyIn(['5', '7'], 'Raised'), undefined)
  assert.equal(currencyIn(['kr 5'], 'Raised'), undefined)
  assert.equal(currencyIn(['soon'], 'Raised (EUR)'), undefined)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AmountFormat, readAmount } from './amounts.ts'

const EUROS: AmountFormat = {
  decimal: '.',
  factor: 1,
  currency: 'EUR',
  stored: 'EUR',
  rates: {},
  hasPlainNumbers: false,
  signCurrency: 'EUR',
  isUnitKnown: true,
}

const read = (text: string, format: Partial<AmountFormat> = {}) =>
  readAmount(text, { ...EUROS, signCurrency: format.currency ?? 'EUR', ...format }, 'revenue_eur')

test('amounts with units, signs, and euros around them', () => {
  for (const [text, value] of [
    ['€1.2m', 1_200_000],
    ['1.2 m€', 1_200_000],
    ['EUR 1.2 million', 1_200_000],
    ['1,2 Mio. EUR', 1_200_000],
    ['2,4 Mrd. EUR', 2_400_000_000],
    ['3 milliards d’euros', undefined],
    ['3 milliards €', 3e9],
    ['12 Tsd. €', 12_000],
    ['500 TEUR', 500_000],
    ['T€ 500', 500_000],
    ['5 MEUR', 5_000_000],
    ['EUR5bn', 5e9],
    ['~€2m', 2_000_000],
    ['ca. 2 Mio', 2_000_000],
    ['approx. €2.5k', 2500],
    ['(90000)', -90_000],
    ['(€90,000)', -90_000],
    ['-€9,100,000', -9_100_000],
    ['−5', -5],
    ['90-', -90],
    ['5,– €', 5],
    ['€5m (est.)', 5_000_000],
    ['3.2E+06', 3_200_000],
    ['5 lakh', 500_000],
    ['2 Cr', 20_000_000],
    ['７５０', 750],
    ['0', 0],
    ['5 apples', undefined],
    ['12%', undefined],
    ['Series A', undefined],
    ['€5T', undefined],
    ['2020-05-01', undefined],
    ['5m 6', undefined],
    ['€', undefined],
    ['1'.repeat(1000), undefined],
  ] as const)
    assert.equal(read(text).value, value, text)
})

test('a fraction without a unit stays exact, and a multiplied one is rounded to cents', () => {
  assert.equal(read('182.603').value, 182.603)
  assert.equal(read('1.1m').value, 1_100_000)
  assert.equal(read('1.23456k').value, 1234.56)
})

test('an open sign needs the format of the column', () => {
  assert.equal(read('850.000', { decimal: ',' }).value, 850_000)
  assert.equal(read('850.000', { decimal: '.' }).value, 850)
  assert.match(read('850.000', { decimal: null }).error ?? '', /Choose the decimal sign/)
  assert.equal(read('7.5', { decimal: ',' }).value, 7.5, 'a clear sign is read as it is written')
})

test('another currency is never euros', () => {
  for (const [text, currency] of [
    ['$2.4M', 'USD'],
    ['US$ 5m', 'USD'],
    ['C$5m', 'CAD'],
    ['$5m CAD', 'CAD'],
    ['CHF 3.1m', 'CHF'],
    ['£420k', 'GBP'],
    ['5 Mio. CHF', 'CHF'],
    ['₹2 Cr', 'INR'],
    ['R$ 5 mi', 'BRL'],
    ['5 zł', 'PLN'],
    ['5 MSEK', 'SEK'],
    ['JPY 100', 'JPY'],
  ] as const) {
    const { value, error = '' } = read(text)
    assert.equal(value, undefined, text)
    assert.ok(
      error.startsWith(`revenue_eur: the amount is in ${currency}. Enter an exchange rate`),
      `${text}: ${error}`,
    )
  }
  assert.match(read('kr 5m').error ?? '', /kr may be SEK, NOK, DKK, or ISK/)
  assert.match(read('¥5m').error ?? '', /¥ may be JPY or CNY/)
})

test('a rate converts, and the currency of the column explains ambiguous signs', () => {
  assert.equal(read('$2.4M', { rates: { USD: 0.925 } }).value, 2_220_000)
  assert.equal(read('kr 5m', { currency: 'SEK', rates: { SEK: 0.09 } }).value, 450_000)
  assert.equal(read('5m', { currency: 'USD', rates: { USD: 0.9 } }).value, 4_500_000)
  assert.match(read('5m', { currency: 'USD' }).error ?? '', /in USD/)
  assert.equal(read('$5', { currency: 'CAD', rates: { CAD: 0.5 } }).value, 2.5)
  assert.equal(read('$5', { stored: 'USD', currency: 'USD' }).value, 5)
  assert.match(
    read('€5', { stored: 'USD', currency: 'USD', rates: { EUR: 1 } }).error ?? '',
    /in EUR, but the field is in USD/,
  )
})

test('ranges and upper limits are no amount, a lower limit is one with a note', () => {
  for (const text of ['€1M to €5M', '1-5m', '1m – 5m', 'between 1 and 5'])
    assert.equal(read(text).value, undefined, text)
  assert.match(read('€1M to €5M').error ?? '', /not a range/)
  assert.match(read('<€1m').error ?? '', /upper limit/)
  assert.match(read('up to 5m').error ?? '', /upper limit/)
  assert.deepEqual(read('€5m+'), { value: 5_000_000, note: 'The lowest number of a range was stored.' })
  assert.ok(read('>5m').note)
})

test('approximate amounts are noted, and exact ones with words are not', () => {
  for (const text of ['~€2m', 'ca. 2m', '2m approx.', 'about 2 million euros', '≈2000000'])
    assert.deepEqual(read(text), { value: 2e6, note: 'An approximate number was stored.' }, text)
  for (const text of ['2 millones de euros', '€2m', '2,000,000'])
    assert.deepEqual(read(text), { value: 2e6 }, text)
})

test('small amounts are noted unless a unit is known', () => {
  const note = (text: string, format: Partial<AmountFormat> = {}) =>
    read(text, { isUnitKnown: false, ...format }).note
  for (const text of ['14.20', '3.75', '€999', '0.5', '~12'])
    assert.match(note(text) ?? '', /stored as single euros/, text)
  for (const text of ['0', '1000', '€12k', '5m']) assert.equal(note(text), undefined, text)
  assert.equal(note('14.20', { isUnitKnown: true, factor: 1e6 }), undefined)
  assert.match(note('14.2', { hasPlainNumbers: true }) ?? '', /single euros/)
  assert.equal(note('$14.20'), undefined, 'an amount that is not stored')
})

test('an amount without a currency is blank where the column has several', () => {
  assert.match(read('5', { currency: null }).error ?? '', /several currencies.*names none/)
  assert.match(read('5', { currency: 'USD' }).error ?? '', /in USD, like the rest of the column/)
  assert.equal(read('¥5', { currency: 'EUR', signCurrency: 'JPY', rates: { JPY: 0.006 } }).value, 0.03)
})

test('the unit of a column is for numbers without their own', () => {
  assert.equal(read('214.75', { factor: 1e6 }).value, 214_750_000)
  assert.equal(read('5k', { factor: 1e6 }).value, 5000)
})

test('numbers of a workbook are exact, whatever the column has', () => {
  assert.equal(read('214.750', { decimal: ',', hasPlainNumbers: true }).value, 214.75)
  assert.equal(read('-5e-7', { hasPlainNumbers: true }).value, -5e-7)
})

test('a number has no currency', () => {
  const number = { stored: null, currency: null }
  assert.equal(read('1,200', number).value, 1200)
  assert.match(read('$1,200', number).error ?? '', /must be a number/)
})

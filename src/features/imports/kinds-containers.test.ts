import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { utils, write } from '@e965/xlsx'
import iconv from 'iconv-lite'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { accountedRows, csvOf, ImportsUnderTest } from './imports.fixture.ts'

let api: TestApp
let imports: ImportsUnderTest
before(async () => {
  api = await testApp()
  imports = new ImportsUnderTest(api)
})
after(() => api.close())

const workbook = (sheets: Record<string, unknown[][]>, bookType: 'xlsx' | 'xls' | 'ods' = 'xlsx'): Buffer => {
  const book = utils.book_new()
  for (const [name, rows] of Object.entries(sheets))
    utils.book_append_sheet(book, utils.aoa_to_sheet(rows), name)
  return write(book, { type: 'buffer', bookType })
}

const ENCODED: readonly [encoding: string, name: string, city: string, text: string][] = [
  ['windows-1251', 'Медный Всадник', 'Псков', 'Учёт товаров на складах и доставка по городу'],
  ['windows-1250', 'Źródło Młyn', 'Łódź', 'Sprzedaż świeżych owoców i źródlanej wody przez całą dobę'],
  ['windows-1252', 'Bäckerei Größe', 'Köln', 'Frische Brötchen für müde Gäste, täglich geöffnet'],
  ['cp850', 'Peñón Añejo', 'Málaga', 'Señales de tráfico y gafas a medida para niños'],
  ['gbk', '长江数据', '武汉', '为中小企业提供的软件，帮助他们管理客户和供应商'],
  ['big5', '長江數據', '臺北', '為中小企業提供的軟體，幫助他們管理客戶和供應商'],
  ['shift_jis', 'ひかり銀行', '札幌', '中小企業のためのソフトウェアで顧客のデータを管理できます'],
  ['euc-kr', '하늘은행', '대구', '중소기업을 위한 소프트웨어로 고객의 데이터를 관리합니다'],
  ['utf-16le', 'Åre Verkstad', 'Åre', 'Verktyg för små företag'],
  ['utf-16be', 'Öre Verkstad', 'Örebro', 'Verktyg för små företag'],
]

test('other encodings without a mark are recognized, and can be chosen', async () => {
  for (const [encoding, name, city, text] of ENCODED)
    for (const [index, settings] of [{}, { encoding }].entries()) {
      const file = csvOf([
        ['company', 'city', 'description'],
        [name, `${city} ${index}`, text],
      ])
      const report = await imports.report(iconv.encode(file, encoding, { addBOM: false }), settings)
      assert.equal(accountedRows(report), 1)
      const found = (await imports.named(name)).map(({ hq_city, activity_description }) => [
        hq_city,
        activity_description,
      ])
      assert.deepEqual(found.at(-1), [`${city} ${index}`, text], `${encoding}: ${report.file.encoding}`)
      if (index === 0) assert.ok(report.file.is_encoding_certain || report.file.warnings.length > 0, encoding)
    }
})

test('text that was encoded twice is repaired and named, and an unknown encoding is refused', async () => {
  const twice = iconv.encode(iconv.decode(iconv.encode('Müller Söhne', 'utf-8'), 'windows-1252'), 'utf-8')
  const report = await imports.import(
    Buffer.concat([Buffer.from('Company,City\n'), twice, Buffer.from(',Bonn\n')]),
  )
  assert.equal((await imports.company('Müller Söhne')).hq_city, 'Bonn')
  assert.match(report.file.warnings.join(' '), /encoded twice/)
  const refused = await imports.send('Company\nX\n', { encoding: 'klingon' })
  assert.equal(refused.status, 400)
  assert.match(refused.body.details, /windows-1252/)
})

test('workbooks and compressed files are read directly', async () => {
  const rows = (name: string) => [
    ['Company', 'Website', 'Revenue', 'Founded'],
    [name, 'https://book.example', 214.75, new Date(Date.UTC(2015, 0, 1))],
  ]
  const files: Record<string, Buffer> = {
    'Book A': workbook({ Notes: [], Deals: rows('Book A') }),
    'Book B': workbook({ Deals: rows('Book B') }, 'ods'),
    'Book C': workbook({ Deals: rows('Book C') }, 'xls'),
    'Book D': gzipSync('Company,Revenue,Founded\nBook D,214.75,2015\n'),
  }
  for (const [name, file] of Object.entries(files)) {
    const report = await imports.import(file)
    assert.equal(report.created, 1, name)
    const { revenue_eur, founded_year } = await imports.company(name)
    assert.deepEqual([revenue_eur, founded_year], [214.75, 2015], name)
  }
})

test('a sheet can be chosen, and an unknown one is refused with the names', async () => {
  const file = workbook({ People: [['Name'], ['Jane']], Firms: [['Company'], ['Sheet Foods']] })
  const report = await imports.import(file, { sheet: 'Firms' })
  assert.deepEqual([report.created, report.file.sheet, report.file.sheets], [1, 'Firms', ['People', 'Firms']])
  const refused = await imports.send(file, { sheet: 'Deals' })
  assert.equal(refused.status, 400)
  assert.match(refused.body.details, /People.*Firms/)
})

const REFUSED: Readonly<Record<string, [Buffer, RegExp]>> = {
  HTML: [Buffer.from('<!DOCTYPE html><html><table><tr><td>Company</td></tr></table></html>'), /HTML/],
  JSON: [Buffer.from('[{"Company": "Acme"}]'), /JSON/],
  PDF: [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1'), /PDF/],
  PNG: [Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'), /image|PNG/i],
  JPEG: [Buffer.from('\xff\xd8\xff\xe0\0\x10JFIF\0', 'latin1'), /image|JPEG/i],
}

test('files that are no tables are refused by their name', async () => {
  for (const [kind, [file, message]] of Object.entries(REFUSED)) {
    const { status, body } = await imports.send(file)
    assert.equal(status, 400, kind)
    assert.match(body.details, message, kind)
  }
})

test('amounts of a workbook in other currencies are no euros, and dates are no headcounts', async () => {
  const sheet = utils.aoa_to_sheet([
    ['Company', 'Revenue', 'Employees'],
    ['Styled A', 1234, 5],
    ['Styled B', 2000.5, new Date(Date.UTC(2026, 10, 2))],
    ['Styled C', 70.25, 7],
  ])
  Object.assign(sheet.B2, { z: '"$"#,##0' })
  Object.assign(sheet.B3, { z: '[$£-809]#,##0.00' })
  Object.assign(sheet.B4, { z: '#,##0.00 "€"' })
  const book = utils.book_new()
  utils.book_append_sheet(book, sheet, 'Deals')
  const report = await imports.import(write(book, { type: 'buffer', bookType: 'xlsx' }))
  const stored = (await imports.latest(3)).map(({ revenue_eur, employee_count }) => [
    revenue_eur,
    employee_count,
  ])
  assert.deepEqual(stored, [
    [null, 5],
    [null, null],
    [70.25, 7],
  ])
  assert.equal(report.bad_cells.length, 3)
})

test('backslashes before quotes are understood in each encoding', async () => {
  for (const encoding of ['utf-8', 'windows-1252', 'utf-16le', 'utf-16be']) {
    const text = `Company,City\n"Slash \\"${encoding}\\", Inc.","Köln"\n"Other ${encoding}","Say \\"hi\\" in Köln"\n`
    const report = await imports.import(iconv.encode(text, encoding, { addBOM: encoding === 'utf-16le' }))
    assert.equal(report.created, 2, `${encoding}: ${JSON.stringify(report.errors)}`)
    assert.equal((await imports.company(`Slash "${encoding}", Inc.`)).hq_city, 'Köln')
  }
})

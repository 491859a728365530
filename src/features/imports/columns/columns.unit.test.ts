import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COLUMN_NAMES } from './column-names.ts'
import { ImportColumns } from './columns.ts'
import { headerHints } from './header-hints.ts'
import { isColumnName } from './recognize-columns.ts'

const recognized = (...header: string[]) => new ImportColumns(header, {}).recognized

test('a name stands for one field', () => {
  const fields = new Map<string, string>()
  for (const [field, names] of Object.entries(COLUMN_NAMES))
    for (const name of new Set(names)) {
      assert.equal(fields.get(name), undefined, `${name} is a ${fields.get(name)} and a ${field}`)
      assert.notEqual(name, '', field)
      fields.set(name, field)
    }
})

test('columns of common tools and languages are recognized', () => {
  for (const [header, fields] of [
    [
      [
        'Organization Name',
        'Headquarters Location',
        'Industries',
        'Full Description',
        'Number of Employees',
        'Founded Date',
        'Operating Status',
      ],
      [
        'name',
        'hq_city',
        'industry_category',
        'activity_description',
        'employee_count',
        'founded_year',
        'status',
      ],
    ],
    [
      [
        'Companies',
        'HQ Location',
        'Primary Industry Sector',
        'Employees',
        'Year Founded',
        'Website',
        'HQ Country/Territory/Region',
      ],
      ['name', 'hq_city', 'industry_category', 'employee_count', 'founded_year', 'website', 'country'],
    ],
    [
      ['Company name', 'Company Domain Name', 'Company owner', 'Country/Region', 'Annual Revenue'],
      ['name', 'website', 'owner_email', 'country', 'revenue_eur'],
    ],
    [
      ['CompanyName', 'RegAddress.PostTown', 'CompanyStatus', 'CountryOfOrigin', 'IncorporationDate'],
      ['name', 'hq_city', 'status', 'country', 'founded_year'],
    ],
    [
      [
        'Nome da empresa',
        'Proprietário da empresa',
        'Cidade',
        'País/Região',
        'Setor',
        'Número de funcionários',
      ],
      ['name', 'owner_email', 'hq_city', 'country', 'industry_category', 'employee_count'],
    ],
    [
      [
        'Nombre de la empresa',
        'Ciudad',
        'País',
        'Página web',
        'Número de empleados',
        'Ingresos anuales',
        'Año de fundación',
      ],
      ['name', 'hq_city', 'country', 'website', 'employee_count', 'revenue_eur', 'founded_year'],
    ],
    [
      [
        'Unternehmen',
        'Stadt',
        'Land',
        'Webseite',
        'Mitarbeiterzahl',
        'Umsatz in Mio. €',
        'Gründungsjahr',
        'Beschreibung',
      ],
      [
        'name',
        'hq_city',
        'country',
        'website',
        'employee_count',
        'revenue_eur',
        'founded_year',
        'activity_description',
      ],
    ],
    [
      [
        "Nom de l'entreprise",
        'Ville',
        'Pays',
        'Site web',
        'Effectif',
        "Chiffre d'affaires",
        'Année de création',
        "Secteur d'activité",
      ],
      [
        'name',
        'hq_city',
        'country',
        'website',
        'employee_count',
        'revenue_eur',
        'founded_year',
        'industry_category',
      ],
    ],
    [
      ['Ragione sociale', 'Città', 'Paese', 'Sito web', 'Dipendenti', 'Fatturato', 'Settore'],
      ['name', 'hq_city', 'country', 'website', 'employee_count', 'revenue_eur', 'industry_category'],
    ],
    [
      ['Bedrijfsnaam', 'Plaats', 'Land', 'Aantal medewerkers', 'Omzet', 'Oprichtingsjaar', 'Omschrijving'],
      ['name', 'hq_city', 'country', 'employee_count', 'revenue_eur', 'founded_year', 'activity_description'],
    ],
    [
      [
        'Nazwa firmy',
        'Miasto',
        'Kraj',
        'Strona www',
        'Liczba pracowników',
        'Przychody',
        'Rok założenia',
        'Branża',
      ],
      [
        'name',
        'hq_city',
        'country',
        'website',
        'employee_count',
        'revenue_eur',
        'founded_year',
        'industry_category',
      ],
    ],
    [
      ['Название компании', 'Описание', 'Отрасль', 'Сайт', 'Город', 'Страна'],
      ['name', 'activity_description', 'industry_category', 'website', 'hq_city', 'country'],
    ],
    [
      ['company_name', 'company_category_list', 'company_country_code', 'homepage_url', 'founded_at'],
      ['name', 'tags', 'country_code', 'website', 'founded_year'],
    ],
    [
      [
        'NAME',
        'City (HQ)',
        'Country (HQ)',
        'Revenue (EUR m)',
        'Employees (2025)',
        'Website / URL',
        'Umsatz EUR',
      ],
      ['name', 'hq_city', 'country', 'revenue_eur', 'employee_count', 'website', 'revenue_eur'],
    ],
  ] as const) {
    const found = recognized(...header)
    const byColumn = new Map(
      Object.entries(found).flatMap(([field, columns]) => columns.map((column) => [column, field])),
    )
    for (const [index, field] of fields.entries())
      assert.equal(byColumn.get(header[index] as string), field, header[index])
  }
})

test('columns of other amounts and of people are not recognized', () => {
  for (const name of [
    'Valuation ($B)',
    'Total Raised',
    'Amount in USD',
    'Website (LinkedIn)',
    'Employees (growth %)',
    'Contact Name',
    'First Name',
    '',
  ])
    assert.equal(isColumnName(name), false, name)
})

test('beside a column of companies, Name is that of a person', () => {
  assert.deepEqual(recognized('Name', 'Email', 'Company').name, ['Company'])
  assert.deepEqual(recognized('Nom', 'Entreprise').name, ['Entreprise'])
  assert.deepEqual(recognized('Name', 'Legal Name').name, ['Name', 'Legal Name'])
  assert.deepEqual(recognized('Name', 'Companies').name, ['Name', 'Companies'])
})

test('equal and missing names become unique, and each column can be mapped', () => {
  const columns = new ImportColumns(['Name', 'City', '', 'City', 'City (2)', 'City'], {
    hq_city: ['City (4)', 'City', 'City'],
    name: 'Column 3',
  })
  assert.deepEqual(columns.header, ['Name', 'City', 'Column 3', 'City (3)', 'City (2)', 'City (4)'])
  assert.deepEqual(columns.recognized.hq_city, ['City (4)', 'City'])
  assert.deepEqual(columns.recognized.name, ['Column 3'])
  assert.deepEqual(columns.cell('hq_city', ['', 'Bari', '', 'Graz', '', '']), {
    text: 'Bari',
    column: 'City',
  })
  assert.equal(columns.source([['a', 'b', '', '', '', '']]), 'Name,City,,City,City (2),City\r\na,b,,,,\r\n')
  assert.throws(
    () => new ImportColumns(['Name'], { hq_city: ['Town'] }),
    /must be a column of the file, not "Town"/,
  )
  assert.throws(() => new ImportColumns(['Name'], { hq_city: [] }), /at least one column/)
  assert.throws(() => new ImportColumns(['Name'], { town: 'Name' }), /not a known field/)
})

test('a file without names is no error until someone needs them', () => {
  assert.equal(new ImportColumns(['a', 'b'], {}).has('name'), false)
  assert.equal(new ImportColumns(['a', 'b'], { name: 'b' }).has('name'), true)
})

test('invisible characters in names and cells do not matter', () => {
  const columns = new ImportColumns(['\ufeffCompany\u00a0name', 'Ci\u200bty'], {})
  assert.deepEqual(Object.keys(columns.recognized), ['name', 'hq_city'])
  assert.equal(columns.text(0, ['\u00a0Mu\u0308ller\u200b GmbH ']), 'Müller GmbH')
})

test('the name of a column gives unit, currency, and the order of dates', () => {
  for (const [name, factor, currency] of [
    ['Valuation ($B)', 1e9, '$'],
    ['Revenue (in millions)', 1e6, null],
    ['Revenue EUR m', 1e6, 'EUR'],
    ['Umsatz in Mio. €', 1e6, 'EUR'],
    ['Umsatz (TEUR)', 1e3, 'EUR'],
    ['Umsatz in T€', 1e3, 'EUR'],
    ['Amount in USD', null, 'USD'],
    ['revenue_usd', null, 'USD'],
    ['Sales [GBP k]', 1e3, 'GBP'],
    ["Revenue ($'000)", 1e3, '$'],
    ['Chiffre d’affaires (M€)', 1e6, 'EUR'],
    ['Revenue (₹ crore)', 1e7, 'INR'],
    ['Revenue', null, null],
    ['Series B', null, null],
    ['EUR', null, null],
    ['Deals all', null, null],
  ] as const) {
    const hints = headerHints(name)
    assert.deepEqual([hints.factor, hints.currency], [factor, currency], name)
  }
  for (const [name, order] of [
    ['Date dd/mm/yyyy', 'dmy'],
    ['Date (MM/DD/YYYY)', 'mdy'],
    ['Datum TT.MM.JJJJ', 'dmy'],
    ['Fecha (dd-mm-aaaa)', 'dmy'],
    ['Day YYYY-MM-DD', 'ymd'],
    ['First met', null],
    ['Company', null],
  ] as const)
    assert.equal(headerHints(name).dateOrder, order, name)
})

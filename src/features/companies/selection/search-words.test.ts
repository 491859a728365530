import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { all } from '#src/platform/database/sql.ts'
import { foldText, searchTerms } from '#src/platform/schema/search-terms.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { companyConditions } from './conditions.ts'

const COMPANIES = [
  {
    name: 'Müller Optik',
    activity_description: 'Linsen aus der Hauptstraße',
    website: 'https://www.acme.example/de',
  },
  { name: 'Mueller Tools', website: 'https://shop.mueller-tools.example' },
  { name: 'Møller Shipping', activity_description: 'Freight to Århus' },
  { name: 'Blunt Knives', activity_description: 'Sharp blue steel' },
  { name: '北京机器人', activity_description: '仓库  机器人 with acme.example parts' },
  { name: 'Linked', website: 'https://www.linkedin.com/company/linked-in-wood/' },
  { name: 'Bücher', website: 'https://bücher.example/laden' },
  { name: 'Ǻngström', activity_description: 'がらす' },
]

let api: TestApp
before(async () => {
  api = await testApp({ EMBEDDINGS: 'off' })
  for (const company of COMPANIES) {
    const { status, body } = await api.call('POST', '/api/companies', company)
    assert.equal(status, 201, body.details)
  }
})
after(() => api.close())

const found = async (search: string): Promise<string[]> => {
  const query = `search=${encodeURIComponent(search)}`
  const { body } = await api.call('GET', `/api/companies?${query}`)
  const { body: facets } = await api.call('GET', `/api/companies/facets?${query}`)
  const names: string[] = body.data.map(({ name }: { name: string }) => name)
  assert.equal(body.pagination.total, names.length, search)
  const counted = facets.data.status.reduce((sum: number, { count }: { count: number }) => sum + count, 0)
  assert.equal(counted, names.length, search)
  return names.sort()
}

test('every word must be there, in any order, inside words, and in any of name, description, and website', async () => {
  for (const [search, names] of Object.entries({
    'optik müller': ['Müller Optik'],
    '  linsen   OPTIK ': ['Müller Optik'],
    'tik nsen acme': ['Müller Optik'],
    'optik tools': [],
    'shop mueller-tools': ['Mueller Tools'],
    '机器人 仓库': ['北京机器人'],
    '机器　人': ['北京机器人'],
    北京: ['北京机器人'],
    京: ['北京机器人'],
    ol: ['Mueller Tools', 'Møller Shipping'],
    'steel blue sharp knives': ['Blunt Knives'],
    'https://': [],
    ww: [],
  }))
    assert.deepEqual(await found(search), names, search)
})

test('letters and their spellings find each other', async () => {
  for (const [search, names] of Object.entries({
    muller: ['Müller Optik'],
    mueller: ['Mueller Tools', 'Müller Optik'],
    Müller: ['Mueller Tools', 'Müller Optik'],
    'mu\u0308ller': ['Mueller Tools', 'Müller Optik'],
    MÜLLER: ['Mueller Tools', 'Müller Optik'],
    moeller: ['Møller Shipping'],
    moller: ['Møller Shipping'],
    møller: ['Møller Shipping'],
    aarhus: ['Møller Shipping'],
    arhus: ['Møller Shipping'],
    hauptstrasse: ['Müller Optik'],
    HAUPTSTRASSE: ['Müller Optik'],
    Hauptstraße: ['Müller Optik'],
    // A spelling is not a letter where none is meant.
    blue: ['Blunt Knives'],
    がらす: ['Ǻngström'],
    からす: [],
  }))
    assert.deepEqual(await found(search), names, search)
})

test('a domain or a pasted address finds the company with the website, and those that mention it', async () => {
  const acme = ['Müller Optik', '北京机器人']
  for (const [search, names] of Object.entries({
    'acme.example': acme,
    'www.acme.example': acme,
    'ACME.example/': acme,
    'acme.example/about?x=1': acme,
    'https://www.acme.example/about?x=1': acme,
    'http://acme.example:8080/#top': acme,
    'https://app.acme.example/login': acme,
    'www.ac': ['Müller Optik', '北京机器人'],
    'https://www.acme.example/about optik': ['Müller Optik'],
    'https://linkedin.com/company/linked-in-wood': ['Linked'],
    'https://linkedin.com/company/other': [],
    'https://xn--bcher-kva.example/': ['Bücher'],
    'bücher.example': ['Bücher'],
    laden: ['Bücher'],
  }))
    assert.deepEqual(await found(search), names, search)
})

test('a search of many words has an answer', async () => {
  const words = Array.from({ length: 190 }, (_value, n) => `w${n.toString(36)}x`).join(' ')
  assert.deepEqual(await found(words), [])
})

test('bulk changes and exports select by the same search', async () => {
  const { payload } = await api.app.inject({
    method: 'GET',
    url: '/api/companies/export?search=mueller%20optik',
  })
  assert.match(payload, /Müller Optik/)
  assert.doesNotMatch(payload, /Mueller Tools/)
})

test('the trigram indexes look up names, spellings, and websites', async () => {
  const conditions = companyConditions({ search: 'mueller' }, 'index')
  const { rows } = await api.context.db.transaction().execute(async (transaction) => {
    await sql`set local enable_seqscan = off`.execute(transaction)
    return sql<Record<string, string>>`
      explain select id from companies where ${all(conditions)}`.execute(transaction)
  })
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  for (const index of ['search_text', 'spelled_out_text', 'website_text'])
    assert.match(plan, new RegExp(`companies_by_${index}`))
})

test('the service and the database fold letters alike', async () => {
  const texts = [
    'Señal ÓPTICA',
    'Straße ẞ',
    'Ørsted Æsir œuvre',
    'Łódź Đặng Þór ðiı',
    'İstanbul',
    'Ёлка й',
    'Άλφα ώ',
    'がら한글',
    'ÅÄÖ',
  ]
  const { rows } = await sql<{ text: string; folded: string }>`
    select text, fold_text(text) as folded from unnest(${texts}::text[]) text`.execute(api.context.db)
  for (const { text, folded } of rows) assert.equal(foldText(text), folded, text)
  const spelled = ['Müller', 'Århus', 'SØREN', 'Käse', 'Größe']
  const { rows: spellings } = await sql<{ text: string; folded: string }>`
    select text, spelled_out_text(text) as folded from unnest(${spelled}::text[]) text`.execute(
    api.context.db,
  )
  for (const { text, folded } of spellings)
    assert.equal(foldText(searchTerms(text)[0]?.spelledOut ?? ''), folded, text)
})

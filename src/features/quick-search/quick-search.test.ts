import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newCompany } from '#src/features/companies/company-row.ts'
import { insertCompanies } from '#src/features/companies/store.ts'
import { newId } from '#src/platform/ids.ts'
import { type TestApp, testApp } from '#src/testing/app.ts'
import { ada } from '#src/testing/settings.ts'
import { MAX_FOUND } from './schema.ts'

const ben = 'ben@example.com'
let api: TestApp
before(async () => {
  api = await testApp({ EMBEDDINGS: 'off' })
  for (const email of [ada, ben]) await api.call('GET', `/api/users/${email}`)
})
after(() => api.close())

const as = (email: string) => ({ headers: { 'x-user-email': email } })
const create = async (url: string, body: object, email = ada): Promise<string> =>
  (await api.call('POST', url, body, as(email))).body.data.id
const find = async (q: string, email = ada) =>
  (await api.call('GET', `/api/search?q=${encodeURIComponent(q)}`, undefined, as(email))).body.data
const namesOf = async (q: string) => (await find(q)).map(({ name }: { name: string }) => name)

test('companies, deals, theses and views are found by parts of their names', async () => {
  const company = await create('/api/companies', { name: 'Zürich Optics', industry_category: 'Photonics' })
  const supplier = await create('/api/companies', {
    name: 'A lens',
    activity_description: 'A supplier of Zurich Optics.',
  })
  const deal = await create('/api/dealflow', { company_id: company, stage: 'meeting' })
  const thesis = await create('/api/theses', { code: 'OPT', title: 'Optical sorting' })
  const view = await create('/api/views', { entity: 'company', name: 'My optics' })
  assert.deepEqual(await find('ZURICH OPT'), [
    { type: 'company', id: company, name: 'Zürich Optics', detail: 'Photonics', logo_url: null },
    { type: 'company', id: supplier, name: 'A lens', detail: null, logo_url: null },
    { type: 'deal', id: deal, name: 'Zürich Optics', detail: 'meeting', logo_url: null },
  ])
  assert.deepEqual(
    (await find('optic')).map(({ id }: { id: string }) => id),
    [company, supplier, deal, thesis, view],
  )
  assert.deepEqual((await find('opt ')).at(-2), {
    type: 'thesis',
    id: thesis,
    name: 'Optical sorting',
    detail: 'OPT',
    logo_url: null,
  })
})

test('people are found by name, email address and headline, with their company', async () => {
  const company = await create('/api/companies', { name: 'Tromsø Sensors' })
  const earlier = await create('/api/companies', { name: 'Aker Labs' })
  const createPerson = (name: string, fields: object) => create('/api/people', { name, ...fields })
  const companies = [{ company_id: earlier, until: '2020-01-31' }, { company_id: company }]
  const ids = {
    begins: await createPerson('Åsne Quist', { companies }),
    contains: await createPerson('Maria Åsne Lund', {}),
    address: await createPerson('Lene', { emails: ['asne@sensors.example'] }),
    headline: await createPerson('Aa', { headline: 'Assistant of Åsne' }),
  }
  const found = await find('ASNE')
  assert.deepEqual(found[0], {
    type: 'person',
    id: ids.begins,
    name: 'Åsne Quist',
    detail: 'Tromsø Sensors',
    logo_url: null,
  })
  assert.deepEqual(
    found.map(({ id }: { id: string }) => id),
    [ids.begins, ids.contains, ids.headline, ids.address],
  )
  await create('/api/companies', { name: 'Supplier of Quist', activity_description: 'Works for Åsne.' })
  assert.deepEqual((await namesOf('asne')).slice(0, 2), ['Åsne Quist', 'Maria Åsne Lund'])
  await api.call('DELETE', `/api/people/${ids.begins}`)
  assert.deepEqual((await namesOf('asne')).slice(0, 1), ['Maria Åsne Lund'])
  assert.deepEqual(await namesOf('asne@sensors.example'), ['Lene'])
})

test('words are found in any order, by their spellings, in two letters, and in other scripts', async () => {
  await create('/api/companies', {
    name: 'Bøhm & Groß Maschinen',
    website: 'https://www.boehm.example/start',
  })
  await create('/api/companies', { name: '深圳光学', activity_description: '激光 切割' })
  await create('/api/companies', { name: 'Partner', activity_description: 'Sells for boehm.example' })
  await create('/api/theses', { code: 'CUT', title: 'Schneiden mit Größe' })
  for (const [q, names] of Object.entries({
    'maschinen  bohm': ['Bøhm & Groß Maschinen'],
    'chinen gross': ['Bøhm & Groß Maschinen'],
    'boehm masch': ['Bøhm & Groß Maschinen'],
    bohm: ['Bøhm & Groß Maschinen'],
    Böhm: ['Bøhm & Groß Maschinen', 'Partner'],
    øh: ['Bøhm & Groß Maschinen', 'Partner'],
    'https://boehm.example/x?y=1': ['Bøhm & Groß Maschinen', 'Partner'],
    'www.boehm.example': ['Bøhm & Groß Maschinen', 'Partner'],
    光学: ['深圳光学'],
    '光 深': ['深圳光学'],
    切割: ['深圳光学'],
    'groesse schneiden': ['Schneiden mit Größe'],
    'maschinen zürich': [],
  }))
    assert.deepEqual(await namesOf(q), names, q)
})

test('a thesis comes before companies that only contain its title elsewhere', async () => {
  await create('/api/companies', { name: 'Supplier', activity_description: 'Vertical farms for cities.' })
  await create('/api/theses', { code: 'FARM', title: 'Farms for cities' })
  assert.deepEqual(await namesOf('Farms for cities'), ['Farms for cities', 'Supplier'])
  await create('/api/companies', { name: 'Cities for Farms' })
  assert.deepEqual(await namesOf('Farms for cities'), ['Cities for Farms', 'Supplier', 'Farms for cities'])
})

test('names that begin with the text come first, and a few of many are found', async () => {
  const names = ['Kappa', 'Alpha Kappa', 'Kappa-Werke', ...Array.from({ length: 60 }, (_, n) => `Omega ${n}`)]
  await insertCompanies(names.map((name) => newCompany(newId('cmp'), { name }))).execute(api.context.db)
  assert.deepEqual(await namesOf('kappa'), ['Kappa', 'Kappa-Werke', 'Alpha Kappa'])
  assert.deepEqual(await namesOf('ka'), ['Kappa', 'Kappa-Werke', 'Alpha Kappa'])
  assert.deepEqual(await namesOf('pha  ka'), ['Alpha Kappa'])
  assert.equal((await find('omega')).length, MAX_FOUND)
  assert.deepEqual(await namesOf('100% \\_'), [])
})

test('private views and deleted companies of others are not found', async () => {
  await create('/api/views', { entity: 'deal', name: 'Secret sigma' })
  const shared = await create('/api/views', { entity: 'deal', name: 'Shared sigma', visibility: 'shared' })
  const company = await create('/api/companies', { name: 'Sigma' })
  await api.call('DELETE', `/api/companies/${company}`, undefined, as(ada))
  assert.equal((await find('sigma', ada)).length, 2)
  assert.deepEqual(await find('sigma', ben), [
    { type: 'view', id: shared, name: 'Shared sigma', detail: 'deal', logo_url: null },
  ])
})

test('notes are found by beginnings of words, with the passage, but private ones of others are not', async () => {
  const about = [{ type: 'company', id: await create('/api/companies', { name: 'Xylem' }), name: 'Xylem' }]
  const open = await create('/api/notes', { about, body: '# Call\n\nThey **quadrupled** sales.' })
  const own = await create('/api/notes', { about, title: 'Mine', body: 'Quadruple?', visibility: 'private' })
  const found = { type: 'note', logo_url: null, about, visibility: 'team' }
  const shown = { ...found, id: open, name: 'Call', detail: 'Call They quadrupled sales.' }
  assert.deepEqual(await find('quadrup sal', ben), [shown])
  assert.deepEqual(await find('QUADRUP'), [
    { ...found, id: own, name: 'Mine', detail: 'Quadruple?', visibility: 'private' },
    shown,
  ])
})

test('a lookup needs a text', async () => {
  for (const query of ['', '?q=', '?q=%20', `?q=${'x'.repeat(201)}`])
    assert.equal((await api.call('GET', `/api/search${query}`)).status, 400, query)
})

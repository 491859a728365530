import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { profileKey, sourceKey } from '#src/features/companies/files.ts'
import { eml } from '#src/features/files/extraction/documents.fixture.ts'
import { form } from '#src/features/files/files.fixture.ts'
import { readFileTexts } from '#src/features/files/index.ts'
import type { TestApp } from '#src/testing/app.ts'
import type { Headers } from '#src/testing/credentials.ts'
import { eventually } from '#src/testing/eventually.ts'

/** A request that succeeds for those who may read, and what its answer then contains. */
export interface Reading {
  method: 'GET' | 'POST'
  url: string
  payload?: object
  shows: RegExp
}

const NAME = 'Loomworks'
/** Of a list that may be empty, because it has only what belongs to the caller. */
const PAGE = /"pagination"/

/** Stores a record of each kind, as an admin. Returns a request for each route that reads. */
export async function readings(api: TestApp, credential: Headers): Promise<Map<string, Reading>> {
  const options = { headers: { host: 'localhost', ...credential } }
  const create = async (url: string, body: object): Promise<string> => {
    const answer = await api.call('POST', url, body, options)
    if (answer.status !== 201) throw new Error(`${url}: ${answer.status} ${JSON.stringify(answer.body)}`)
    // Feedback is answered without `data`.
    return (answer.body.data ?? answer.body).id
  }
  const firstOf = async (url: string): Promise<string> =>
    (await api.call('GET', url, undefined, options)).body.data[0].id
  const company = await create('/api/companies', {
    name: NAME,
    country_code: 'DE',
    tags: [NAME],
    website: 'https://loomworks.example',
  })
  const other = await create('/api/companies', { name: `${NAME} weaving`, country_code: 'DE' })
  const trashed = await create('/api/companies', { name: `${NAME} trashed` })
  await api.call('DELETE', `/api/companies/${trashed}`, undefined, options)
  const thesis = await create('/api/theses', { code: 'LOOM', title: NAME, summary: `${NAME} weaving` })
  const deal = await create('/api/dealflow', { company_id: company, notes: NAME })
  const ofPerson = { name: NAME, companies: [{ company_id: company }] }
  const person = await create('/api/people', ofPerson)
  await create('/api/people', ofPerson)
  const note = await create('/api/notes', { body: NAME, about: [{ type: 'company', id: company }] })
  const decision = await create('/api/decisions', { company_id: company, body: NAME })
  const task = await create('/api/tasks', { title: NAME, about: [{ type: 'company', id: company }] })
  const upload = async (content: string | Buffer, fileName: string): Promise<string> => {
    const { payload, type } = form([
      ['about', JSON.stringify([company, deal].map((id, n) => ({ type: n ? 'deal' : 'company', id })))],
      ['file', content, fileName],
    ])
    const headers = { ...options.headers, 'content-type': type }
    return (await api.call('POST', '/api/files', undefined, { payload, headers })).body.data.id
  }
  const [file, email] = [await upload(NAME, `${NAME}.txt`), await upload(eml(NAME), `${NAME}.eml`)]
  // Otherwise read in the background.
  await readFileTexts(api.context, new AbortController().signal)
  // A record that has only been created has no history.
  for (const [url, body] of [
    [`/api/companies/${company}`, { hq_city: NAME }],
    [`/api/theses/${thesis}`, { report_markdown: NAME }],
    [`/api/dealflow/${deal}`, { notes: `${NAME} again` }],
    [`/api/people/${person}`, { headline: NAME }],
    [`/api/notes/${note}`, { title: NAME }],
    [`/api/decisions/${decision}`, { body: `${NAME} again` }],
    [`/api/tasks/${task}`, { title: `${NAME} again` }],
    [`/api/files/${file}`, { name: `${NAME} again` }],
  ] as const)
    await api.call('PATCH', url, body, options)
  const view = await create('/api/views', { entity: 'company', name: NAME, visibility: 'shared' })
  await create('/api/fields', { entity: 'company', label: NAME, type: 'text' })
  const feedback = await create('/api/feedback', { title: NAME })
  const bulk = await create('/api/bulk-actions', {
    action_type: 'generate_embeddings',
    company_ids: [company, other],
  })
  await api.call('POST', '/api/companies/import', undefined, {
    headers: { ...options.headers, 'content-type': 'text/csv' },
    payload: `name\n${NAME} imported\n`,
  })
  await api.context.objects.write([
    [profileKey(company), JSON.stringify({ summary: NAME })],
    [sourceKey(company), `name\r\n${NAME}\r\n`],
  ])
  await sql`insert into logos (origin, png, version)
    values ('https://loomworks.example', ${Buffer.from('\x89PNG')}, '1')`.execute(api.context.db)
  // The search index is made in the background.
  await eventually(async () => {
    const { body } = await api.call('GET', '/api/companies/search/status', undefined, options)
    assert.equal(body.data.waiting, 0)
  })
  const [activity, action, imported] = [
    await firstOf('/api/activity'),
    await firstOf('/api/actions'),
    await firstOf('/api/imports'),
  ]
  const name = new RegExp(NAME)
  const ofCompany = { ':id': company }
  const requests: [route: string, shows: RegExp, ids?: Record<string, string>, query?: string][] = [
    ['/api/auth/me', /"permissions"/],
    ['/api/companies', name, {}, 'search=loom'],
    ['/api/companies/facets', /"DE"/],
    ['/api/companies/:id', name, ofCompany],
    ['/api/companies/:id/history', name, ofCompany],
    ['/api/companies/:id/people', name, ofCompany],
    ['/api/companies/:id/relationships', PAGE, ofCompany],
    ['/api/companies/:id/brief', name, ofCompany],
    ['/api/companies/:id/timeline', name, ofCompany],
    ['/api/dealflow/:id/timeline', name, { ':id': deal }],
    ['/api/people/:id/timeline', name, { ':id': person }],
    ['/api/theses/:id/timeline', name, { ':id': thesis }],
    ['/api/companies/:id/logo', /PNG/, ofCompany],
    ['/api/companies/:id/similar', name, ofCompany],
    ['/api/companies/search/semantic', name, {}, 'q=weaving'],
    ['/api/companies/search/status', /"data"/],
    ['/api/companies/export', name],
    ['/api/search', name, {}, 'q=loom'],
    ['/api/tags', name],
    ['/api/imports', /"created":1/],
    ['/api/imports/:id', /"created":1/, { ':id': imported }],
    ['/api/bulk-actions', PAGE],
    ['/api/bulk-actions/readiness', /"data"/],
    ['/api/bulk-actions/:id', /"company_ids"|"total_companies"/, { ':id': bulk }],
    ['/api/bulk-actions/:id/companies', name, { ':id': bulk }],
    ['/api/bulk-actions/:id/events', /^data: .*generate_embeddings/m, { ':id': bulk }],
    ['/api/bulk-actions/:id/work', name, { ':id': bulk }, `company_ids=${company}`],
    ['/assets/companies/:id/profile.json', name, ofCompany],
    ['/assets/companies/:id/source.csv', name, ofCompany],
    ['/api/people', name],
    ['/api/people/duplicates', name],
    ['/api/people/export', name],
    ['/api/dealflow/export', name],
    ['/api/people/:id', name, { ':id': person }],
    ['/api/people/:id/history', name, { ':id': person }],
    ['/api/people/:id/relationships', PAGE, { ':id': person }],
    ['/api/people/:id/brief', name, { ':id': person }],
    ['/api/people/:id/personal-data', name, { ':id': person }],
    ['/api/people/retention', PAGE],
    ['/api/notes', name],
    ['/api/notes/export', name],
    ['/api/notes/:id', name, { ':id': note }],
    ['/api/notes/:id/history', name, { ':id': note }],
    ['/api/decisions', name],
    ['/api/decisions/export', name],
    ['/api/decisions/reasons', /"too_early"/],
    ['/api/decisions/:id', name, { ':id': decision }],
    ['/api/decisions/:id/history', name, { ':id': decision }],
    ['/api/notifications', /"unread":\d/],
    ['/api/notifications/settings', /"digest_hour":8/],
    ['/api/companies/:id/follow', /"followers":\[/, { ':id': company }],
    ['/api/dealflow/:id/follow', /"followers":\[/, { ':id': deal }],
    ['/api/people/:id/follow', /"followers":\[/, { ':id': person }],
    ['/api/theses/:id/follow', /"followers":\[/, { ':id': thesis }],
    ['/api/tasks', name],
    ['/api/tasks/export', name],
    ['/api/tasks/:id', name, { ':id': task }],
    ['/api/tasks/:id/history', name, { ':id': task }],
    ['/api/files', name],
    ['/api/companies/:id/files/archive', name, ofCompany],
    ['/api/dealflow/:id/files/archive', name, { ':id': deal }],
    ['/api/files/usage', /"limit_bytes":null/],
    ['/api/files/:id', name, { ':id': file }],
    ['/api/files/:id/history', name, { ':id': file }],
    ['/api/files/:id/versions', /"version":1/, { ':id': file }],
    ['/api/files/:id/content', name, { ':id': file }],
    ['/api/files/:id/text', name, { ':id': file }],
    ['/api/files/:id/attachments/:index/content', name, { ':id': email, ':index': '0' }],
    ['/api/theses', name],
    ['/api/theses/:id', name, { ':id': thesis }],
    ['/api/theses/:id/history', name, { ':id': thesis }],
    ['/api/theses/:id/matches', name, { ':id': thesis }],
    ['/api/theses/:id/criteria', /"data"/, { ':id': thesis }],
    ['/api/dealflow', name],
    ['/api/dealflow/stages', /"initial"/],
    ['/api/dealflow/stages/config', /"initial"/],
    ['/api/dealflow/:id', name, { ':id': deal }],
    ['/api/dealflow/:id/history', name, { ':id': deal }],
    ['/api/dealflow/:id/brief', name, { ':id': deal }],
    ['/api/fields', name],
    ['/api/views', name],
    ['/api/views/:id', name, { ':id': view }],
    ['/api/views/:id/new', /"data"/, { ':id': view }],
    ['/api/events', /^data: \[/m],
    ['/api/events/log', name],
    ['/api/activity', name],
    ['/api/activity/:id', /"activity_type"/, { ':id': activity }],
    ['/api/actions', /"data":\[\{/],
    ['/api/actions/:id', /"data":\{/, { ':id': action }],
    ['/api/trash', name],
    ['/api/duplicates', PAGE],
    ['/api/duplicates/check', name, {}, `name=${NAME}`],
    ['/api/audit', /"event":"bulk_action_started"/, {}, 'event=bulk_action_started'],
    // How files compressed with zstd begin, read as UTF-8.
    ['/api/backup', /^\(\ufffd\/\ufffd/],
    ['/api/backups', PAGE],
    ['/api/audit/export', /,bulk_action_started,/],
    ['/api/stats', /"companies_total":3/],
    ['/api/stats/pipeline', /"deals":1/],
    ['/api/stats/weekly', /"companies":3/],
    ['/api/stats/sources', /"source_type":null,"source_id":null,"source_name":null,"deals":1/],
    ['/api/users', /"admin@example\.com"/],
    ['/api/users/:email', /"admin@example\.com"/, { ':email': 'admin@example.com' }],
    ['/api/sessions', PAGE],
    ['/api/keys', PAGE],
    ['/api/calendar', /"created_at"/],
    ['/api/feedback', name],
    ['/api/feedback/:id', name, { ':id': feedback }],
  ]
  return new Map<string, Reading>(
    requests.map(([route, shows, ids = {}, query = '']) => {
      const path = route.replace(/:\w+/g, (parameter) => ids[parameter] as string)
      return [route, { method: 'GET', url: `${path}?${query}`, shows }]
    }),
  ).set('/api/companies/query', {
    method: 'POST',
    url: '/api/companies/query',
    payload: { search: 'loom' },
    shows: name,
  })
}

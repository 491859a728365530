import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '#src/cli/demo/random.ts'
import { normalizeTexts } from '#src/platform/schema/normalize-text.ts'
import { ada } from '#src/testing/settings.ts'
import type { VersionApi } from './api.fixture.ts'
import {
  company,
  companyFields,
  dealFields,
  importedCsv,
  searchableCompanies,
  thesis,
  variedDeal,
} from './records.fixture.ts'

const CREATED_COMPANIES = 50
const DEALS = 25
export const DELETED_FIELD = 'contact'
export const PEOPLE = [ada, 'ben@example.com', 'chiara@example.com'] as const

/** Records that the present version can go on with. */
export interface Filled {
  company: string
  /** A change of one field, not undone, if this version can undo. */
  change?: { action: string; company: string; city: string | null }
  /** A merge that is not undone, if this version can merge. */
  merge?: { action: string; from: string[] }
  /** A company with its deal, if this version has a trash: what it was before. */
  trashed?: { company: { id: string }; deal: string }
}

/** What fills an older version. Each step uses only what that version offers. */
interface Filling {
  api: VersionApi
  random: Random
  /** Companies that no later step removes. */
  kept: string[]
  theses: string[]
  deals: string[]
  filled: Omit<Filled, 'company'>
}

/** Fills an empty service of an older version through its HTTP API. */
export async function fillVersion(api: VersionApi, random: Random): Promise<Filled> {
  const filling: Filling = { api, random, kept: [], theses: [], deals: [], filled: {} }
  for (const email of PEOPLE) await api.read(`/api/users/${email}`, email)
  await setPreferences(filling)
  await createTheses(filling)
  if (api.offers('createField')) await createFields(filling)
  if (api.offers('putStageConfig')) await configureStages(filling)
  await createCompanies(filling)
  await createDeals(filling)
  await importTwice(filling)
  await changeCompanies(filling)
  await runBulkActions(filling)
  await fileFeedback(filling)
  if (api.offers('createView')) await createViews(filling)
  if (api.offers('deleteCompany')) await deleteRecords(filling)
  if (api.offers('mergeCompanies')) await mergeAndUndo(filling)
  if (api.offers('judgeMatch')) await judgeMatches(filling)
  if (api.offers('createKey'))
    await api.write('POST', '/api/keys', { name: 'Reports', scopes: ['read'], role: 'viewer' })
  return { ...filling.filled, company: filling.kept[10] as string }
}

async function setPreferences({ api }: Filling): Promise<void> {
  const preferences = [
    { view_mode: 'compact' },
    { notifications_enabled: false },
    { view_mode: 'comfortable' },
  ]
  for (const [index, email] of PEOPLE.entries())
    await api.write('PATCH', `/api/users/${email}`, { preferences: preferences[index] }, email)
}

async function createTheses({ api, theses }: Filling): Promise<void> {
  for (let n = 0; n < 5; n++) {
    const body = thesis(n, api.offers('getThesisCriteria'))
    theses.push((await api.write('POST', '/api/theses', body)).data.id)
  }
  await api.write('PATCH', `/api/theses/${theses[0]}`, { summary: 'Another summary' }, PEOPLE[1])
  await api.write('PATCH', `/api/theses/${theses[1]}`, { status: 'archived', report_markdown: null })
}

async function createFields({ api }: Filling): Promise<void> {
  for (const field of [...companyFields(), ...dealFields()]) await api.write('POST', '/api/fields', field)
}

async function configureStages({ api }: Filling): Promise<void> {
  const { body } = await api.read('/api/dealflow/stages/config')
  const stages = [...body.data.stages]
  stages.splice(1, 0, { key: 'screening', label: 'Vorprüfung', default_probability: 15 })
  await api.write('PUT', '/api/dealflow/stages/config', { stages })
}

async function createCompanies({ api, random, kept, theses }: Filling): Promise<void> {
  const isRich = api.offers('createField')
  for (let n = 0; n < CREATED_COMPANIES; n++) {
    const body = company(n, random, theses, isRich)
    kept.push((await api.write('POST', '/api/companies', body, random(PEOPLE))).data.id)
  }
  for (const body of searchableCompanies) await api.write('POST', '/api/companies', body)
}

async function createDeals({ api, random, kept, deals }: Filling): Promise<void> {
  const isRich = api.offers('createField')
  for (let n = 0; n < DEALS; n++) {
    const body = { company_id: kept[n], ...variedDeal(n, random, isRich) }
    const id = (await api.write('POST', '/api/dealflow', body, random(PEOPLE))).data.id
    deals.push(id)
    for (const stage of ['meeting', 'due_diligence', 'term_sheet', 'won'].slice(0, n % 5))
      await api.write('PATCH', `/api/dealflow/${id}`, { stage, probability: n }, random(PEOPLE))
    if (n % 7 === 0) await api.write('PATCH', `/api/dealflow/${id}`, { stage: 'lost', notes: 'Zu spät 🐌' })
  }
  if (!api.offers('updateDeals')) return
  const changes = { owner_email: PEOPLE[2], probability: 33 }
  await api.write('PATCH', '/api/dealflow', { ids: deals.slice(0, 6), changes })
}

/** The second file changes records of the first, and has rows that are rejected. */
async function importTwice({ api }: Filling): Promise<void> {
  await api.write('POST', '/api/companies/import?dry_run=true', importedCsv('first'))
  await api.write('POST', '/api/companies/import', importedCsv('first'))
  await api.write('POST', '/api/companies/import', importedCsv('second'), PEOPLE[1])
}

async function changeCompanies({ api, random, kept, theses }: Filling): Promise<void> {
  for (const id of kept.slice(0, 20)) {
    const body = { employee_count: Math.floor(random() * 500), hq_city: random(['Zürich', null, 'Łódź']) }
    await api.write('PATCH', `/api/companies/${id}`, body, random(PEOPLE))
  }
  const changes = { status: 'inactive', thesis_id: theses[2], industry_category: 'Fördertechnik' }
  await api.write('PATCH', '/api/companies', { ids: kept.slice(20, 30), changes })
  if (!api.offers('renameTag')) return
  const tagged = { owner_email: PEOPLE[1], add_tags: ['Reviewed', 'Später'], remove_tags: ['B2B'] }
  await api.write('PATCH', '/api/companies', { ids: kept.slice(5, 25), changes: tagged })
  await api.write('PATCH', `/api/tags/${encodeURIComponent('Reviewed')}`, { name: 'Geprüft' })
  await api.write('DELETE', `/api/tags/${encodeURIComponent('Später')}`)
}

async function runBulkActions({ api, kept, theses }: Filling): Promise<void> {
  const start = async (body: object): Promise<string> =>
    (await api.write('POST', '/api/bulk-actions', body)).data.id
  const ids = [
    await start({ action_type: 'llm_score', company_ids: kept.slice(0, 12), thesis_id: theses[0] }),
    await start({ action_type: 'enrich_profile', company_ids: kept.slice(4, 20) }),
    await start({ action_type: 'generate_embeddings', company_ids: kept, priority_override: 80 }),
  ]
  const cancelled = await start({ action_type: 'llm_score', company_ids: kept.slice(0, 3), force: true })
  // It may be completed by now.
  await api.write('PATCH', `/api/bulk-actions/${cancelled}`, { status: 'cancelled' }).catch(() => {})
  for (const id of [...ids, cancelled]) await settled(api, id)
}

async function settled(api: VersionApi, id: string): Promise<void> {
  for (;;) {
    const { body } = await api.read(`/api/bulk-actions/${id}`)
    if (['completed', 'failed', 'cancelled'].includes(body.data.status)) return
    await sleep(100)
  }
}

async function fileFeedback({ api }: Filling): Promise<void> {
  for (const [index, type] of ['bug', 'feature', 'other', 'question'].entries()) {
    const body = { type, title: `Feedback „${type}“ 📝`, description: 'Zeile 1\nZeile 2' }
    await api.write('POST', '/api/feedback', index === 0 ? { title: type } : body, PEOPLE[index % 3])
  }
}

async function createViews({ api }: Filling): Promise<void> {
  const filter = { and: [{ field: 'country_code', op: 'in', value: ['DE', 'CH'] }] }
  const views: Record<string, string> = {}
  for (const [entity, visibility, body] of [
    [
      'company',
      'shared',
      { filter, sort: [{ field: 'name', direction: 'desc' }], columns: [{ field: 'name' }] },
    ],
    ['company', 'private', { search: 'gmbh', filter: { field: 'custom.heat', op: 'is_not_empty' } }],
    ['deal', 'shared', { layout: 'board' }],
    ['thesis', 'private', {}],
  ] as const) {
    const view = { entity, visibility, name: `Ansicht ${entity} ${visibility}`, ...body }
    views[`${entity} ${visibility}`] = (await api.write('POST', '/api/views', view)).data.id
  }
  const view_ids = [views['company private'], views['company shared']]
  await api.write('PUT', '/api/views/order', { entity: 'company', view_ids })
  await api.write('PUT', '/api/views/default', { entity: 'company', view_id: view_ids[1] }, PEOPLE[1])
}

/** Deletes records of each kind: some stay in the trash, one is restored, one is purged. */
async function deleteRecords({ api, kept, theses, deals, filled }: Filling): Promise<void> {
  const [withDeal] = kept.splice(0, 1)
  const removed = kept.splice(-6)
  const { body } = await api.read(`/api/companies/${withDeal}`)
  filled.trashed = {
    company: normalizeTexts(body.data.company) as { id: string },
    deal: body.data.dealflow.id,
  }
  // A field that is deleted below.
  delete body.data.company.custom[DELETED_FIELD]
  await api.write('DELETE', `/api/companies/${withDeal}`)
  await api.write('DELETE', '/api/companies', { ids: removed })
  await api.write('DELETE', `/api/theses/${theses.splice(3, 1)[0]}`)
  await api.write('DELETE', `/api/dealflow/${deals.splice(3, 1)[0]}`, undefined, PEOPLE[1])
  await api.write('POST', `/api/trash/${removed[0]}/restore`)
  await api.write('DELETE', `/api/trash/${removed[1]}`)
  const fields = (await api.read('/api/fields?entity=company')).body.data
  const ofKey = (key: string) => fields.find((field: { key: string }) => field.key === key).id
  for (const key of ['homepage', DELETED_FIELD])
    await api.write('PATCH', `/api/fields/${ofKey(key)}`, { archived: true })
  await api.write('DELETE', `/api/fields/${ofKey(DELETED_FIELD)}?confirm=true`)
}

/** One merge stays, one is undone, like a change and a bulk change. */
async function mergeAndUndo({ api, kept, filled }: Filling): Promise<void> {
  const lastAction = async (): Promise<string> => (await api.read('/api/actions?limit=1')).body.data[0].id
  const undo = async () => api.write('POST', `/api/actions/${await lastAction()}/undo`, {})
  const merged = kept.slice(35, 37)
  await api.write('POST', `/api/companies/${kept[34]}/merge`, { from: merged })
  filled.merge = { action: await lastAction(), from: merged }
  await api.write('POST', `/api/companies/${kept[3]}/merge`, { from: [kept[4]] })
  await undo()
  await api.write('PATCH', `/api/companies/${kept[8]}`, { name: 'Renamed by mistake' })
  await undo()
  await api.write('PATCH', '/api/companies', { ids: kept.slice(6, 12), changes: { status: 'acquired' } })
  await undo()
  const { body: previous } = await api.read(`/api/companies/${kept[12]}`)
  await api.write('PATCH', `/api/companies/${kept[12]}`, { hq_city: 'Before the upgrade' })
  const { hq_city: city } = previous.data.company
  filled.change = { action: await lastAction(), company: kept[12] as string, city }
  const { body } = await api.read('/api/duplicates')
  for (const { id } of body.data.slice(0, 2)) await api.write('POST', `/api/duplicates/${id}/dismiss`)
}

async function judgeMatches({ api, theses }: Filling): Promise<void> {
  const [thesis] = theses
  const { body } = await api.read(`/api/theses/${thesis}/matches?limit=4`)
  for (const [index, match] of body.data.entries()) {
    const company = match.company?.id ?? match.company_id ?? match.id
    const verdict = index % 2 ? 'down' : 'up'
    await api.write('PATCH', `/api/theses/${thesis}/matches/${company}`, { verdict })
  }
}

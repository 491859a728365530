import assert from 'node:assert/strict'
import { ada } from '#src/testing/settings.ts'
import { deck } from './deck.ts'
import type { Demo } from './demo.ts'

/** Records that screens show. */
export type Shown = Record<
  'company' | 'person' | 'deal' | 'thesis' | 'bulkAction' | 'action' | 'view' | 'note' | 'file',
  string
>

/** Chooses records of the demo to show, and adds what it does not have. */
export async function shownRecords({ api }: Demo): Promise<Shown> {
  const [company] = (await api.listCompanies({ querystring: { limit: 1, sort: '-llm_score_overall' } })).data
  const [thesis] = (await api.listTheses()).data
  const [deal] = (await api.listDeals({ querystring: { limit: 1 } })).data
  const [bulkAction] = (await api.listBulkActions()).data
  const companies = [{ company_id: company?.id ?? '', role: 'Chair', is_primary: true }]
  const contact = {
    emails: ['polly@polar.example'],
    phones: ['+4773590000'],
    links: ['https://polar.example'],
  }
  const newPerson = (name: string) => api.createPerson({ body: { name, ...contact, companies } })
  const [{ data: person }] = [await newPerson('Polly Polar'), await newPerson('Paul Polar')]
  // The list shows owners once a company has one.
  await api.updateCompany({ params: { id: company?.id ?? '' }, body: { owner_email: ada } })
  const { data: view } = await api.createView({ body: { entity: 'company', name: 'My companies' } })
  await api.createField({ body: { entity: 'company', label: 'Runway', type: 'number' } })
  const { data: field } = await api.createField({ body: { entity: 'company', label: 'Batch', type: 'text' } })
  await api.updateField({ params: { id: field.id }, body: { archived: true } })
  await api.createKey({ body: { name: 'Spreadsheet', scopes: ['read'], role: 'member', expires_at: null } })
  const [, , deleted] = await Promise.all(
    ['Twin Looms', 'Twin Looms', 'Former Looms'].map((name) => api.createCompany({ body: { name } })),
  )
  await api.deleteCompany({ params: { id: deleted?.data.id ?? '' } })
  const { data: note } = await api.createNote({
    body: {
      ...{ kind: 'call', title: 'Looms and prices', pinned: true, visibility: 'private' },
      body: '## Prices\n\nThey charge **per loom**.\n\n- [ ] Ask for churn\n\n| Year | Looms |\n|---|--:|\n| 2025 | 12 |',
      about: [{ type: 'company', id: company?.id ?? '' }],
    },
  })
  await api.createNote({ body: { body: 'See [the list](https://looms.example).', parent_id: note.id } })
  const about = [{ type: 'deal' as const, id: deal?.id ?? '' }]
  await api.createTask({ body: { title: 'Send the term sheet', due_on: '2026-01-02', about } })
  await api.createTask({ body: { title: 'Keep in touch', unless_contact_days: 30, about } })
  const { data: task } = await api.createTask({ body: { title: 'Sign the NDA', about } })
  await api.finishTask({ params: { id: task.id } })
  const form = new FormData()
  form.append('about', JSON.stringify([{ type: 'company', id: company?.id ?? '' }]))
  form.append('file', new Blob([await deck('Polar deck', 3)]), 'Polar deck.pdf')
  const { data: file } = await api.uploadFile({ body: form })
  const [action] = (await api.listActions({ querystring: { limit: 1 } })).data
  assert.ok(company && deal && thesis && bulkAction && action, 'The demo lacks a record.')
  return {
    company: company.id,
    person: person.id,
    deal: deal.id,
    thesis: thesis.id,
    bulkAction: bulkAction.id,
    action: action.id,
    view: view.id,
    note: note.id,
    file: file.id,
  }
}

/** Fills the ids of records into an address. */
export const addressOf = (address: string, shown: Shown): string =>
  address.replace(/\{(\w+)\}/, (_match, record: keyof Shown) => shown[record])

import assert from 'node:assert/strict'
import type { Answer, TestApp } from '#src/testing/app.ts'
import { ada } from '#src/testing/settings.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests assert what they expect
export type Fields = any

export const ok = ({ status, body }: Answer): Fields => {
  assert.ok(status < 300, `${status} ${JSON.stringify(body)}`)
  return body?.data
}

/** The details of an error. */
export const refused = ({ status, body }: Answer, expected = 400): string => {
  assert.equal(status, expected, JSON.stringify(body))
  return body.details
}

export const as = (email: string) => ({ headers: { 'x-user-email': email } })

const DAY_MS = 86_400_000

/** The day this many days from today, in UTC. */
export const dayFromToday = (days: number): string =>
  new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)

/** Requests about tasks, as Ada unless another address is given. */
export function tasksOf(api: () => TestApp) {
  const create = async (url: string, body: object, email = ada): Promise<Fields> =>
    ok(await api().call('POST', url, body, as(email)))
  const list = async (query = '', email = ada): Promise<Fields> =>
    (await api().call('GET', `/api/tasks?${query}`, undefined, as(email))).body
  return {
    create,
    list,
    /** The titles of a list, in its order. */
    titles: async (query = '', email = ada): Promise<string[]> =>
      (await list(query, email)).data.map(({ title }: Fields) => title),
    task: (fields: object, email = ada) => create('/api/tasks', fields, email),
    refuse: async (fields: object) => refused(await api().call('POST', '/api/tasks', fields)),
    company: async (name: string): Promise<string> => (await create('/api/companies', { name })).id,
    deal: async (company_id: string): Promise<string> => (await create('/api/dealflow', { company_id })).id,
    person: async (fields: object): Promise<string> => (await create('/api/people', fields)).id,
    read: async (id: string) => ok(await api().call('GET', `/api/tasks/${id}`)),
    patch: (id: string, fields: object, email = ada) =>
      api().call('PATCH', `/api/tasks/${id}`, fields, as(email)),
    bulk: (ids: string[], changes: object, email = ada) =>
      api().call('PATCH', '/api/tasks', { ids, changes }, as(email)),
    finish: (id: string, email = ada) => api().call('PUT', `/api/tasks/${id}/done`, undefined, as(email)),
    reopen: (id: string, email = ada) => api().call('DELETE', `/api/tasks/${id}/done`, undefined, as(email)),
    undo: async ({ headers }: Answer, email = ada) =>
      ok(await api().call('POST', `/api/actions/${headers['x-action-id']}/undo`, {}, as(email))),
    /** Types of activity of a record, oldest first. */
    activity: async (id: string): Promise<string[]> =>
      (await api().call('GET', `/api/activity?entity_id=${id}`)).body.data
        .map(({ activity_type }: Fields) => activity_type)
        .reverse(),
  }
}

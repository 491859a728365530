import assert from 'node:assert/strict'
import type { Answer, TestApp } from '#src/testing/app.ts'
import { ada } from '#src/testing/settings.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests assert what they expect
export type Fields = any

export const ok = ({ status, body }: Answer): Fields => {
  assert.ok(status < 300, `${status} ${JSON.stringify(body)}`)
  return body?.data
}

export const as = (email: string) => ({ headers: { 'x-user-email': email } })

export const about = (id: string, type = 'company') => ({ type, id })

/** Requests about notes, as Ada unless another address is given. */
export function notesOf(api: () => TestApp) {
  const create = async (url: string, body: object, email = ada): Promise<Fields> =>
    ok(await api().call('POST', url, body, as(email)))
  const list = async (query = '', email = ada): Promise<Fields> =>
    (await api().call('GET', `/api/notes?${query}`, undefined, as(email))).body
  return {
    create,
    company: async (name = 'Loomworks'): Promise<string> => (await create('/api/companies', { name })).id,
    note: (fields: object, email = ada) => create('/api/notes', { body: 'Text', ...fields }, email),
    read: async (id: string, email = ada) =>
      ok(await api().call('GET', `/api/notes/${id}`, undefined, as(email))),
    patch: (id: string, fields: object, email = ada) =>
      api().call('PATCH', `/api/notes/${id}`, fields, as(email)),
    list,
    bodies: async (query: string, email = ada): Promise<string[]> =>
      (await list(query, email)).data.map(({ body }: Fields) => body),
  }
}

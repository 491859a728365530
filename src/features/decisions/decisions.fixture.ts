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

/** Requests about decisions, as Ada unless another address is given. */
export function decisionsOf(api: () => TestApp) {
  const create = async (url: string, body: object, email = ada): Promise<Fields> =>
    ok(await api().call('POST', url, body, as(email)))
  const list = async (query = '', email = ada): Promise<Fields> =>
    (await api().call('GET', `/api/decisions?${query}`, undefined, as(email))).body
  const decide = (fields: object, email = ada) => create('/api/decisions', fields, email)
  return {
    create,
    list,
    decide,
    company: async (name: string): Promise<string> => (await create('/api/companies', { name })).id,
    deal: async (company_id: string): Promise<string> => (await create('/api/dealflow', { company_id })).id,
    read: async (id: string) => ok(await api().call('GET', `/api/decisions/${id}`)),
    patch: (id: string, fields: object, email = ada) =>
      api().call('PATCH', `/api/decisions/${id}`, fields, as(email)),
    vote: (id: string, fields: object, email = ada) =>
      api().call('PUT', `/api/decisions/${id}/vote`, fields, as(email)),
    undo: async ({ headers }: Answer, email = ada) =>
      ok(await api().call('POST', `/api/actions/${headers['x-action-id']}/undo`, {}, as(email))),
    /** What the latest decision makes a company show. */
    latest: async (company: string): Promise<[string | null, string | null]> => {
      const { decision_outcome, revisit_on } = ok(
        await api().call('GET', `/api/companies/${company}`),
      ).company
      return [decision_outcome, revisit_on]
    },
    /** The details of an error. */
    refused: ({ status, body }: Answer, expected = 400): string => {
      assert.equal(status, expected, JSON.stringify(body))
      return body.details
    },
  }
}

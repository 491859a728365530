import assert from 'node:assert/strict'
import type { Logger } from 'pino'
import type { Answer, TestApp } from '#src/testing/app.ts'
import { userWithRole } from '#src/testing/credentials.ts'
import { notify } from './consume.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests assert what they expect
export type Fields = any

const ok = ({ status, body }: Answer): Fields => {
  assert.ok(status < 300, `${status} ${JSON.stringify(body)}`)
  return body
}

export const [ADA, BEN, EVA, ZOE] = [
  'ada@example.com',
  'ben@example.com',
  'eva@example.com',
  'zoe@example.com',
] as const

export const as = (email: string) => ({ headers: { 'x-user-email': email } })
export const about = (id: string, type = 'company') => [{ type, id }]

/** Nothing may be skipped. */
const failing = {
  error: ({ err }: { err: unknown }) => {
    throw err
  },
} as unknown as Logger

/** Requests of several users, and what they are told. */
export function peopleOf(api: () => TestApp) {
  const send = async (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    body?: object,
    email: string = ADA,
  ): Promise<Fields> => ok(await api().call(method, url, body, as(email)))
  const create = async (url: string, body: object, email: string = ADA): Promise<Fields> =>
    (await send('POST', url, body, email)).data
  const catchUp = () => notify(api().context.backgroundDb, failing, new AbortController().signal)
  const list = async (email: string, query = ''): Promise<Fields> => {
    await catchUp()
    return send('GET', `/api/notifications?${query}`, undefined, email)
  }
  return {
    send,
    create,
    catchUp,
    list,
    /** The users of the tests: an admin, and members. */
    addUsers: async () => {
      await userWithRole(api(), ADA, 'admin')
      for (const email of [BEN, EVA, ZOE]) await userWithRole(api(), email, 'member')
    },
    company: async (name: string, fields: object = {}): Promise<string> =>
      (await create('/api/companies', { name, ...fields })).id,
    /** The texts of what a user was told, newest first. Forgets them. */
    told: async (email: string): Promise<string[]> => {
      const { data } = await list(email)
      if (data.length > 0)
        await send('POST', '/api/notifications/done', { ids: data.map(({ id }: Fields) => id) }, email)
      return data.map(({ text }: Fields) => text)
    },
  }
}

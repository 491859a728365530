import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
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

/** A part of a form: a field, or the file with its name. */
export type Part = [field: string, content: string | Buffer, fileName?: string]

/** The body of a form and its content type. */
export function form(parts: readonly Part[], boundary = randomBytes(12).toString('hex')) {
  const pieces = parts.flatMap(([field, content, fileName]) => [
    `--${boundary}\r\ncontent-disposition: form-data; name="${field}"`,
    fileName === undefined ? '' : `; filename="${fileName}"\r\ncontent-type: application/x-anything`,
    '\r\n\r\n',
    content,
    '\r\n',
  ])
  const payload = Buffer.concat([...pieces, `--${boundary}--\r\n`].map((piece) => Buffer.from(piece)))
  return { payload, type: `multipart/form-data; boundary=${boundary}` }
}

export interface Upload {
  about?: object[] | undefined
  visibility?: string
  name?: string
  content?: string | Buffer
  fileName?: string
  headers?: Record<string, string>
  boundary?: string
}

/** Requests about files, as Ada unless another address is given. */
export function filesOf(api: () => TestApp) {
  const send = (
    url: string,
    parts: readonly Part[],
    email = ada,
    { headers = {}, boundary }: Upload = {},
  ) => {
    const { payload, type } = form(parts, boundary)
    return api().call('POST', url, undefined, {
      payload,
      headers: { 'x-user-email': email, 'content-type': type, ...headers },
    })
  }
  const post = (upload: Upload, email = ada) => {
    const { about: records, visibility, name, content = 'Some text', fileName = 'Memo.txt' } = upload
    const parts: Part[] = []
    if (records) parts.push(['about', JSON.stringify(records)])
    if (visibility) parts.push(['visibility', visibility])
    if (name !== undefined) parts.push(['name', name])
    return send('/api/files', [...parts, ['file', content, fileName]], email, upload)
  }
  const create = async (url: string, body: object, email = ada): Promise<Fields> =>
    ok(await api().call('POST', url, body, as(email)))
  return {
    send,
    post,
    create,
    upload: async (upload: Upload, email = ada): Promise<Fields> => ok(await post(upload, email)),
    version: (id: string, content: string | Buffer, email = ada) =>
      send(`/api/files/${id}/versions`, [['file', content, 'other.bin']], email),
    company: async (name = 'Loomworks'): Promise<string> => (await create('/api/companies', { name })).id,
    read: async (id: string, email = ada) =>
      ok(await api().call('GET', `/api/files/${id}`, undefined, as(email))),
    get: (url: string, email = ada, headers: Record<string, string> = {}) =>
      api().app.inject({ method: 'GET', url, headers: { 'x-user-email': email, ...headers } }),
    patch: (id: string, fields: object, email = ada) =>
      api().call('PATCH', `/api/files/${id}`, fields, as(email)),
    list: async (query = '', email = ada): Promise<Fields> =>
      (await api().call('GET', `/api/files?${query}`, undefined, as(email))).body,
  }
}

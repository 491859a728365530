import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { type Claims, createSessions } from '#src/platform/identity/session.ts'
import { signWorkerToken } from '#src/platform/identity/worker-token.ts'
import { PRODUCTION } from '#src/testing/settings.ts'
import { inProduction, onDefaultStart } from './services.ts'

export interface Answer {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests say what they expect of it
  body: any
}

/** A client written from the contract alone: plain `fetch`, and no headers but the contract's. */
export interface Client {
  email: string
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  patch(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>
}

/** A word that no other test uses. */
export const unique = (): string => `x${randomBytes(6).toString('hex')}`

export async function send(address: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(address, { redirect: 'manual', ...init })
  const text = await response.text()
  const isJson = /^application\/json/.test(response.headers.get('content-type') ?? '')
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text ? JSON.parse(text) : undefined,
  }
}

function clientOf(url: string, email: string, credential: Record<string, string>): Client {
  const write =
    (method: string) =>
    (path: string, body?: unknown, headers: Record<string, string> = {}) =>
      send(url + path, {
        method,
        headers: { 'content-type': 'application/json', ...credential, ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
  return {
    email,
    get: (path, headers = {}) => send(url + path, { headers: { ...credential, ...headers } }),
    post: write('POST'),
    patch: write('PATCH'),
  }
}

/** A new user of the default start, with rate limits of its own. */
export function newUser(email = `analyst.${unique()}@example.com`): Client {
  return clientOf(onDefaultStart().url, email, { 'x-user-email': email })
}

/** Sends no credential. */
export const anonymous = (service = onDefaultStart()): Client => clientOf(service.url, '', {})

/** A session token signed with the secret of the default start. */
export async function developmentToken(claims: Claims): Promise<string> {
  const secret = await readFile(path.join(onDefaultStart().dataFolder, 'session-secret'), 'utf8')
  return createSessions([secret]).sign(claims)
}

const productionSessions = () => createSessions([PRODUCTION.SESSION_SECRET])

/** A user with a session in production. */
export async function signedIn(email = `analyst.${unique()}@example.com`): Promise<Client> {
  const token = await productionSessions().sign({ sub: email, email })
  return clientOf(inProduction().url, email, { cookie: `service_session=${token}` })
}

/** The AI worker in production. */
export async function productionWorker(): Promise<Client> {
  const token = await signWorkerToken(productionSessions(), 600)
  return clientOf(inProduction().url, '', { authorization: `Bearer ${token}` })
}

/** The answer's body; fails unless it has this status. */
export async function bodyOf(asked: Answer | Promise<Answer>, status = 200) {
  const answer = await asked
  assert.equal(answer.status, status, answer.text)
  return answer.body
}

/** The answer's `data`; fails unless it has this status. */
export const dataOf = async (asked: Answer | Promise<Answer>, status = 200) =>
  (await bodyOf(asked, status)).data

/** Fails unless the answer is an error with this status, in the contract's shape. */
export async function assertError(asked: Answer | Promise<Answer>, status: number, details = /./) {
  const answer = await asked
  assert.equal(answer.status, status, answer.text)
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
  assert.deepEqual(Object.keys(answer.body).sort(), ['details', 'error'])
  assert.equal(typeof answer.body.error, 'string')
  assert.match(answer.body.details, details)
}

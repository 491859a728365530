import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { signWorkerToken } from '#src/platform/identity/identity.ts'
import { type Claims, createSessions } from '#src/platform/identity/session.ts'
import { PRODUCTION } from '#src/testing/settings.ts'
import { developmentService, productionService } from './services.ts'

export interface Answer {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests assert the shape
  body: any
}

/** A client written only from the contract: plain `fetch`, and only the contract's headers. */
export interface Client {
  email: string
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  patch(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>
}

/** A unique word. */
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

/** A new user of the development service, with their own rate limits. */
export function newUser(email = `analyst.${unique()}@example.com`): Client {
  return clientOf(developmentService().url, email, { 'x-user-email': email })
}

/** A client without credentials. */
export const anonymous = (service = developmentService()): Client => clientOf(service.url, '', {})

/** A session token signed with the secret of the development service. */
export async function developmentToken(claims: Claims): Promise<string> {
  const secret = await readFile(path.join(developmentService().dataFolder, 'session-secret'), 'utf8')
  return createSessions([secret]).sign(claims)
}

const productionSessions = () => createSessions([PRODUCTION.SESSION_SECRET])

/** A user with a session in production. */
export async function signedIn(email = `analyst.${unique()}@example.com`): Promise<Client> {
  const token = await productionSessions().sign({ sub: email, email })
  return clientOf(productionService().url, email, { cookie: `service_session=${token}` })
}

/** The AI worker in production. */
export async function productionWorker(): Promise<Client> {
  const token = await signWorkerToken(productionSessions(), 600)
  return clientOf(productionService().url, '', { authorization: `Bearer ${token}` })
}

/** Returns the body; fails if the status differs. */
export async function bodyOf(response: Answer | Promise<Answer>, status = 200) {
  const received = await response
  assert.equal(received.status, status, received.text)
  return received.body
}

/** Returns `data` of the body; fails if the status differs. */
export const dataOf = async (response: Answer | Promise<Answer>, status = 200) =>
  (await bodyOf(response, status)).data

/** Fails unless the response is an error with this status and the contract's shape. */
export async function assertError(response: Answer | Promise<Answer>, status: number, details = /./) {
  const received = await response
  assert.equal(received.status, status, received.text)
  assert.match(received.headers.get('content-type') ?? '', /^application\/json/)
  assert.deepEqual(Object.keys(received.body).sort(), ['details', 'error'])
  assert.equal(typeof received.body.error, 'string')
  assert.match(received.body.details, details)
}

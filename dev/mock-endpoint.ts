import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** How the endpoint fails. */
export type MockFailure =
  | { status: number; headers?: Record<string, string>; message?: string }
  | { cut: true }
  | { delay: number }
  /** Answers once this settles. */
  | { after: Promise<unknown> }
  | { body: string }

export interface MockEndpoint<T> {
  /** The value for the setting that ends in `_BASE_URL`. */
  url: string
  /** All requests so far. */
  requests: T[]
  /** Called for each request; returns how to fail, or `undefined` to answer. */
  failWith: (request: T, authorization: string | undefined) => MockFailure | undefined
  close(): Promise<void>
}

/**
 * Starts a mock of an OpenAI-compatible endpoint that can be made to fail.
 * @param answer returns the response body, or `undefined` if the model is unknown
 */
export async function startMockEndpoint<T extends { model: string }>(
  path: string,
  answer: (request: T) => unknown,
): Promise<MockEndpoint<T>> {
  const server = createServer((request, response) => {
    respond(endpoint, path, answer, request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const endpoint: MockEndpoint<T> = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests: [],
    failWith: () => undefined,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return endpoint
}

async function respond<T extends { model: string }>(
  endpoint: MockEndpoint<T>,
  path: string,
  answer: (request: T) => unknown,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = JSON.parse(Buffer.concat(await request.toArray()).toString()) as T
  endpoint.requests.push(body)
  const failure = endpoint.failWith(body, request.headers.authorization)
  if (failure && 'cut' in failure) return void request.socket.destroy()
  // A closed endpoint does not keep its process running.
  if (failure && 'delay' in failure) await sleep(failure.delay, undefined, { ref: false })
  if (failure && 'after' in failure) await failure.after
  const send = (status: number, text: string, headers = {}) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
  if (failure && 'body' in failure) return void send(200, failure.body)
  if (failure && 'status' in failure)
    return void send(
      failure.status,
      JSON.stringify({ error: { message: failure.message ?? 'simulated failure' } }),
      failure.headers,
    )
  const answered = request.url === path ? answer(body) : undefined
  if (answered === undefined)
    return void send(404, JSON.stringify({ error: { message: `no model ${body.model}` } }))
  send(200, JSON.stringify(answered))
}

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What an endpoint does in place of an answer; `undefined`: it answers. */
export type Fault =
  | { status: number; headers?: Record<string, string>; message?: string }
  | { cut: true }
  | { delay: number }
  | { body: string }

export interface FaultyEndpoint<T> {
  /** For the setting that ends in `_BASE_URL`. */
  url: string
  /** All requests so far, in their order. */
  requests: T[]
  /** Asked before each answer. */
  fault: (request: T, authorization: string | undefined) => Fault | undefined
  close(): Promise<void>
}

/**
 * An endpoint as OpenAI and its likes have it, that can be told to fail.
 * @param answer gives the body of an answer; undefined: there is no such model
 */
export async function startFaultyEndpoint<T extends { model: string }>(
  path: string,
  answer: (request: T) => unknown,
): Promise<FaultyEndpoint<T>> {
  const server = createServer((request, response) => {
    respond(endpoint, path, answer, request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const endpoint: FaultyEndpoint<T> = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests: [],
    fault: () => undefined,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return endpoint
}

async function respond<T extends { model: string }>(
  endpoint: FaultyEndpoint<T>,
  path: string,
  answer: (request: T) => unknown,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = JSON.parse(Buffer.concat(await request.toArray()).toString()) as T
  endpoint.requests.push(body)
  const fault = endpoint.fault(body, request.headers.authorization)
  if (fault && 'cut' in fault) return void request.socket.destroy()
  if (fault && 'delay' in fault) await new Promise((resolve) => setTimeout(resolve, fault.delay))
  const send = (status: number, text: string, headers = {}) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
  if (fault && 'body' in fault) return void send(200, fault.body)
  if (fault && 'status' in fault)
    return void send(
      fault.status,
      JSON.stringify({ error: { message: fault.message ?? 'told to fail' } }),
      fault.headers,
    )
  const answered = request.url === path ? answer(body) : undefined
  if (answered === undefined)
    return void send(404, JSON.stringify({ error: { message: `no model ${body.model}` } }))
  send(200, JSON.stringify(answered))
}

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What it is asked for: OpenAI's `POST /v1/embeddings`. */
export interface EmbeddingRequest {
  model: string
  input: string[]
  dimensions?: number
}

/** What it does in place of an answer; `undefined`: it answers. */
export type Fault =
  | { status: number; headers?: Record<string, string>; message?: string }
  | { cut: true }
  | { delay: number }
  | { body: string }

export interface EmbeddingEndpoint {
  /** For `EMBEDDINGS_BASE_URL`. */
  url: string
  /** All requests so far, in their order. */
  requests: EmbeddingRequest[]
  /** Asked before each answer. */
  fault: (request: EmbeddingRequest, authorization: string | undefined) => Fault | undefined
  /** A text's vector; by default its words, of which those of a line of `SYNONYMS` count as one. */
  embed: (text: string, dimensions: number) => unknown[]
  close(): Promise<void>
}

const SYNONYMS = [
  ['car', 'cars', 'automobile', 'automobiles', 'vehicle'],
  ['milk', 'dairy', 'cow'],
  ['hospital', 'clinic', 'clinics', 'nurses', 'medical'],
  ['robot', 'robots', 'automaton', 'automatons'],
]

/** Numbers of the vectors of each model. */
const DIMENSIONS: Record<string, number> = { small: 64, large: 96, huge: 2400 }

/** An endpoint as OpenAI and its likes have it, that can be told to fail. */
export async function startEmbeddingEndpoint(): Promise<EmbeddingEndpoint> {
  const server = createServer((request, response) => {
    answer(endpoint, request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const endpoint: EmbeddingEndpoint = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests: [],
    fault: () => undefined,
    embed: wordVector,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return endpoint
}

async function answer(
  endpoint: EmbeddingEndpoint,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = JSON.parse(Buffer.concat(await request.toArray()).toString()) as EmbeddingRequest
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
  const dimensions = body.dimensions ?? DIMENSIONS[body.model]
  if (request.url !== '/v1/embeddings' || !dimensions)
    return void send(404, JSON.stringify({ error: { message: `no model ${body.model}` } }))
  const data = body.input.map((text, index) => ({
    object: 'embedding',
    index,
    embedding: endpoint.embed(text, dimensions),
  }))
  send(
    200,
    JSON.stringify({ object: 'list', model: body.model, data, usage: { prompt_tokens: 1, total_tokens: 1 } }),
  )
}

export function wordVector(text: string, dimensions: number): number[] {
  const vector = new Array<number>(dimensions).fill(0.001)
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    const group = SYNONYMS.findIndex((words) => words.includes(word))
    const place = group === -1 ? hash(word) % (dimensions - SYNONYMS.length) : dimensions - 1 - group
    vector[place] = (vector[place] ?? 0) + (group === -1 ? 1 : 4)
  }
  return vector
}

const hash = (word: string) => [...word].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1e9, 7)

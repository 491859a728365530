import assert from 'node:assert/strict'
import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { createWebsiteReader, type WebsiteReaderOptions } from '#src/worker/website.ts'

export type Answer = (response: ServerResponse, request: IncomingMessage) => void
interface Website {
  url: string
  port: number
  /** The requested paths. */
  requests: string[]
  headers: IncomingHttpHeaders[]
  server: Server
}

const servers: Server[] = []

export function closeWebsites(): void {
  for (const server of servers) {
    server.close()
    server.closeAllConnections()
  }
}

/** A local website with only these pages. */
export async function website(pages: Record<string, Answer | string>): Promise<Website> {
  const requests: string[] = []
  const headers: IncomingHttpHeaders[] = []
  const server = createServer((request, response) => {
    const path = request.url as string
    requests.push(path)
    headers.push(request.headers)
    const answer = pages[path]
    if (typeof answer === 'function') return answer(response, request)
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(answer)
  })
  server.keepAliveTimeout = 0
  servers.push(server.listen(0, '127.0.0.1'))
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, port, requests, headers, server }
}

export const redirect =
  (location: string, status = 302): Answer =>
  (response) =>
    response.writeHead(status, { location }).end()

export const page =
  (type: string | undefined, body: string | Buffer, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(200, { ...(type && { 'content-type': type }), ...headers }).end(body)

export const status =
  (code: number): Answer =>
  (response) =>
    response.writeHead(code).end()

export const running = new AbortController().signal
export const onThisMachine: WebsiteReaderOptions = {
  isAllowed: (address) => address === '127.0.0.1',
  isAllowedPort: () => true,
  lookup: async () => ['127.0.0.1'],
}
export const readerHere = (options: WebsiteReaderOptions = {}) =>
  createWebsiteReader({ ...onThisMachine, ...options })

export async function textOf(url: string, reader = readerHere()): Promise<string> {
  const read = await reader.read(url, running)
  assert.ok('text' in read, JSON.stringify(read))
  return read.text
}

export async function reasonOf(url: string, reader = readerHere()): Promise<string> {
  const read = await reader.read(url, running)
  assert.ok('reason' in read, JSON.stringify(read))
  assert.equal(read.url, url)
  return read.reason
}

export const NOT_PUBLIC = "The website's address is not public."
export const NOT_A_PUBLIC_NAME = "The website's host name is not a public one."
export const DISALLOWED = "The website's robots.txt disallows this page."

export function* endlessly(text: string) {
  const chunk = Buffer.from(text.repeat(Math.ceil(65_536 / text.length)))
  for (;;) yield chunk
}

export async function textOfPage(type: string, body: string | Buffer): Promise<string> {
  const site = await website({ '/': page(type, body) })
  return textOf(site.url)
}

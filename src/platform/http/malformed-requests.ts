import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { errorBody } from './error-body.ts'

/** The largest headers, in bytes. The longest query, with a thousand ids, takes 30 KB. */
export const HEADER_LIMIT = 64 * 1024

/** Node.js handles the only valid expectation, 100-continue, itself (RFC 9110, section 10.1.1). */
export function rejectExpectations({ server }: FastifyInstance, headers: Record<string, string>): void {
  server.on('checkExpectation', (_request, response) => {
    response.writeHead(417, { ...headers, 'content-type': 'application/json; charset=utf-8' })
    response.end(JSON.stringify(errorBody(417, 'The header Expect must be 100-continue.')))
  })
}

const MALFORMED: Record<string, { status: number; details: string }> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    details: `The headers must not be larger than ${HEADER_LIMIT} bytes.`,
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, details: 'The rest of the request did not arrive in time.' },
}

/** Answers requests that are not valid HTTP, have oversized headers, or do not arrive in time. */
export function rejectMalformedRequests(headers: Record<string, string>) {
  return ({ code = '' }: { code?: string }, socket: Socket): void => {
    if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    const { status, details } = MALFORMED[code] ?? {
      status: 400,
      details: 'The request is not valid HTTP/1.1.',
    }
    const body = JSON.stringify(errorBody(status, details))
    const lines = {
      ...headers,
      'x-request-id': randomUUID(),
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      connection: 'close',
    }
    const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('')}\r\n${body}`)
    // The client may leave its side open.
    socket.destroySoon()
  }
}

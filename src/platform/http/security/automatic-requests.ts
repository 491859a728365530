import type { FastifyRequest } from 'fastify'
import { mayWrite } from '../routes.ts'

/**
 * Whether a page may have sent a request without its user. Pages mark such requests; browsers reopen event streams, and
 * load the images of a list that was refreshed. A request that changes something always counts as use.
 */
export const isAutomatic = (request: FastifyRequest): boolean =>
  !mayWrite(request) && isMarked(request.headers)

const isMarked = (headers: FastifyRequest['headers']): boolean =>
  Boolean(headers['x-automatic-refresh']) ||
  headers['sec-fetch-dest'] === 'image' ||
  headers.accept === 'text/event-stream'

import type { IncomingHttpHeaders } from 'node:http'

/**
 * Whether a page may have sent a request without its user. Pages mark such requests; browsers reopen event streams, and
 * load the images of a list that was refreshed. Someone who fakes it only shortens their own session.
 */
export const isAutomatic = (headers: IncomingHttpHeaders): boolean =>
  Boolean(headers['x-automatic-refresh']) ||
  headers['sec-fetch-dest'] === 'image' ||
  headers.accept === 'text/event-stream'

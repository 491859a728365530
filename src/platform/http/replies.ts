import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { type Json, type JsonPage, pageJson } from '#src/platform/database/sql.ts'
import type { PageRequest } from '#src/platform/schema/shapes.ts'

/** Sends JSON text without parsing it. */
export function sendJson(reply: FastifyReply, json: Json): FastifyReply {
  return reply.header('content-type', 'application/json; charset=utf-8').send(json)
}

/** The response header with the id of the action that the request was. */
export const ACTION_HEADER = 'X-Action-Id'

/**
 * Sends one record in its envelope.
 * @param actionId the action that wrote it; none if nothing has changed
 */
export function sendData(reply: FastifyReply, record: Json, actionId?: string): FastifyReply {
  if (actionId !== undefined) reply.header(ACTION_HEADER, actionId)
  return sendJson(reply, `{"data":${record}}`)
}

/** Answers a deletion. */
export const sendNothing = (reply: FastifyReply, actionId: string): FastifyReply =>
  reply.code(204).header(ACTION_HEADER, actionId).send()

/**
 * Sends a list in its envelope.
 * @param more what the list has besides its records
 */
export const sendPage = (
  reply: FastifyReply,
  page: PageRequest,
  records: JsonPage,
  more?: object,
): FastifyReply => sendJson(reply, pageJson(page, records, more))

/** Streams one record in its envelope, as JSON text in parts. */
export const streamData = (reply: FastifyReply, parts: AsyncIterable<Json>): FastifyReply =>
  reply
    .header('content-type', 'application/json; charset=utf-8')
    .send(Readable.from(inEnvelope(parts), { objectMode: false }))

async function* inEnvelope(parts: AsyncIterable<Json>): AsyncGenerator<Json> {
  yield '{"data":'
  yield* parts
  yield '}\n'
}

/** Streams server-sent events. */
export const sendEvents = (reply: FastifyReply, events: Readable): FastifyReply =>
  reply
    .header('content-type', 'text/event-stream; charset=utf-8')
    .header('cache-control', 'no-store')
    // Keeps nginx from buffering the events.
    .header('x-accel-buffering', 'no')
    .send(events)

/** Sends a file, CSV by default, as a download with this name. */
export const sendFile = (
  reply: FastifyReply,
  name: string,
  content: Readable,
  type = 'text/csv; charset=utf-8',
): FastifyReply =>
  reply
    .header('content-type', type)
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(content)

import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Json } from '#src/platform/database/sql.ts'
import { type PageRequest, pagination } from '#src/platform/schema/shapes.ts'

/** Sends JSON text without parsing it. */
export function sendJson(reply: FastifyReply, json: Json): FastifyReply {
  return reply.header('content-type', 'application/json; charset=utf-8').send(json)
}

/** Sends one record in its envelope. */
export const sendData = (reply: FastifyReply, record: Json): FastifyReply =>
  sendJson(reply, `{"data":${record}}`)

/** Sends a list in its envelope. */
export const sendPage = (
  reply: FastifyReply,
  page: PageRequest,
  { records, total }: { records: Json; total: number },
): FastifyReply =>
  sendJson(reply, `{"data":${records},"pagination":${JSON.stringify(pagination(page, total))}}`)

/** Streams server-sent events. */
export const sendEvents = (reply: FastifyReply, events: Readable): FastifyReply =>
  reply
    .header('content-type', 'text/event-stream; charset=utf-8')
    .header('cache-control', 'no-store')
    // Keeps nginx from buffering the events.
    .header('x-accel-buffering', 'no')
    .send(events)

/** Sends a CSV file as a download with this name. */
export const sendFile = (reply: FastifyReply, name: string, csv: Readable): FastifyReply =>
  reply
    .header('content-type', 'text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(csv)

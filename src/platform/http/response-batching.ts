import { validateHeaderName, validateHeaderValue } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'

/** Registers how responses are sent, for all routes. */
export function registerResponseBatching(app: FastifyInstance): void {
  // First, so that later hooks run when the response is sent.
  batchResponses(app)
  endConnectionsWhenClosing(app)
  app.addHook('onError', (_request, reply, _error, done) => {
    removeUnsendable(reply)
    // The body was to be compressed; the error is not.
    if (!reply.raw.headersSent)
      for (const headers of [reply, reply.raw]) headers.removeHeader('content-encoding')
    done()
  })
}

/**
 * Closes connections while the service shuts down: an idle keep-alive connection would keep the process from exiting.
 */
function endConnectionsWhenClosing(app: FastifyInstance): void {
  let isClosing = false
  app.addHook('preClose', (done) => {
    isClosing = true
    done()
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isClosing) reply.header('connection', 'close')
    done()
  })
}

/**
 * Called when a response has ended. `isWhole` is false if the client disconnected or the source of the response
 * failed.
 */
export type ResponseListener = (request: FastifyRequest, reply: FastifyReply, isWhole: boolean) => void

/** Calls the listener once for each request, when its response has ended. */
export function onResponseEnd(app: FastifyInstance, listener: ResponseListener): void {
  const cutOff = new WeakSet<FastifyReply>()
  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.on('close', () => {
      if (reply.raw.writableFinished || !request.raw.socket.destroyed) return
      cutOff.add(reply)
      listener(request, reply, false)
    })
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    if (!cutOff.has(reply)) listener(request, reply, true)
    done()
  })
}

/** A response that took longer has waited for something and is not delayed further. */
const MAX_BATCHED_MS = 2

/**
 * Sends responses that are ready in the same turn of the event loop right after each other. Interleaved with reading
 * requests, each response would wake its receiver separately, which costs more than sending (docs/adr/0012).
 */
function batchResponses(app: FastifyInstance): void {
  let pending = new Map<FastifyReply, HookHandlerDoneFunction>()
  const sendAll = () => {
    const sending = pending
    pending = new Map()
    for (const send of sending.values())
      try {
        send()
      } catch (error) {
        // No caller is left on the stack to handle the error.
        send(error as Error)
      }
  }
  app.addHook('onSend', (_request, reply, payload, send) => {
    // Fastify sends an empty response for an async handler that does not return its reply, unless the reply has been
    // sent.
    if (payload === undefined && pending.has(reply)) return
    const isInMemory =
      payload === undefined || payload === null || typeof payload === 'string' || Buffer.isBuffer(payload)
    if (isInMemory && reply.elapsedTime < MAX_BATCHED_MS) {
      if (pending.size === 0) setImmediate(sendAll)
      pending.set(reply, send)
    } else {
      pending.delete(reply)
      // The embedded database runs query after query, so the turn may take long to end.
      sendAll()
      send()
    }
  })
}

/** Removes invalid headers of a route, which would keep the error response from being sent. */
function removeUnsendable(reply: FastifyReply): void {
  for (const [name, value] of Object.entries(reply.getHeaders()))
    try {
      validateHeaderName(name)
      validateHeaderValue(name, String(value))
    } catch {
      reply.removeHeader(name)
    }
}

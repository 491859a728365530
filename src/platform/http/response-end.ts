import { validateHeaderName, validateHeaderValue } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Closes connections during a shutdown, and makes errors sendable, for all routes. */
export function registerResponseEnd(app: FastifyInstance): void {
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

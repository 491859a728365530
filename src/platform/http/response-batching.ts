import { validateHeaderName, validateHeaderValue } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'

/** How answers leave, whatever route they are of. */
export function registerSending(app: FastifyInstance): void {
  // First, so that what else happens to an answer happens when it leaves.
  sendTogether(app)
  endConnectionsWhenClosing(app)
  app.addHook('onError', (_request, reply, _error, done) => {
    removeUnsendable(reply)
    done()
  })
}

/** A connection that is kept alive after the last answer would keep a process that is stopping from ending. */
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
 * Is told of a request whose answer has been sent, or has been cut off: `isWhole` is false when who asked has left, or what
 * the answer is read from has failed on the way.
 */
export type Answered = (request: FastifyRequest, reply: FastifyReply, isWhole: boolean) => void

/** Tells of each request once, when nothing more is sent. */
export function whenAnswered(app: FastifyInstance, tell: Answered): void {
  const cutOff = new WeakSet<FastifyReply>()
  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.on('close', () => {
      if (reply.raw.writableFinished || !request.raw.socket.destroyed) return
      cutOff.add(reply)
      tell(request, reply, false)
    })
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    if (!cutOff.has(reply)) tell(request, reply, true)
    done()
  })
}

/** An answer that took longer has waited for something, and does not wait for others. */
const AT_ONCE_MS = 2

/**
 * Answers that are made at once, in one turn of the event loop, leave right after each other. Between reading requests,
 * each answer would wake its receiver anew, which takes the system longer than sending does (docs/adr/0012).
 */
function sendTogether(app: FastifyInstance): void {
  let waiting = new Map<FastifyReply, HookHandlerDoneFunction>()
  const sendThem = () => {
    const sending = waiting
    waiting = new Map()
    for (const send of sending.values())
      try {
        send()
      } catch (error) {
        // Nobody is left on the stack who would answer it.
        send(error as Error)
      }
  }
  app.addHook('onSend', (_request, reply, payload, send) => {
    // Fastify answers nothing more for an asynchronous handler that does not return its reply, unless that has left.
    if (payload === undefined && waiting.has(reply)) return
    const isInMemory =
      payload === undefined || payload === null || typeof payload === 'string' || Buffer.isBuffer(payload)
    if (isInMemory && reply.elapsedTime < AT_ONCE_MS) {
      if (waiting.size === 0) setImmediate(sendThem)
      waiting.set(reply, send)
    } else {
      waiting.delete(reply)
      // The embedded database goes from query to query, and it may take long until the turn ends.
      sendThem()
      send()
    }
  })
}

/** A header of a route that cannot be sent would keep those of the policy from being sent with the error. */
function removeUnsendable(reply: FastifyReply): void {
  for (const [name, value] of Object.entries(reply.getHeaders()))
    try {
      validateHeaderName(name)
      validateHeaderValue(name, String(value))
    } catch {
      reply.removeHeader(name)
    }
}

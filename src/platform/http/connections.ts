import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { BODY_LIMIT } from './error-handler.ts'

const MAX_CHECK_INTERVAL_MS = 1000
const CHECKS_PER_TIMEOUT = 4
/** Ordinary bodies have this long to arrive, however few bytes keep flowing. */
const BODY_TIMEOUT_MS = 5 * 60_000
/** So has a file, which takes longer on a slow line. */
const UPLOAD_TIMEOUT_MS = 60 * 60_000
/** A client may read nothing of its answer for this long, such as a download that is paused. */
const UNREAD_TIMEOUT_MS = 5 * 60_000
/** Requests in flight have this long to finish when the service stops. */
export const CLOSE_TIMEOUT_MS = 6000

/** What a connection carries now. Of pipelined requests, only the last one can lack a part of its body. */
interface Traffic {
  request: IncomingMessage
  response: ServerResponse
  bytesRead: number
  /** Checks since the last byte. Counted, because a clock also runs while the machine sleeps or the process is busy. */
  idleChecks: number
  /** Checks while the body was arriving. */
  bodyChecks: number
  /** How long the client may take for the body. */
  bodyMs: number
}

interface Options {
  /** How long a client may send nothing of a body. */
  idleMs: number
  /** How long a client may take for an ordinary body. */
  bodyMs?: number
  /** How long a client may take for a body that may be larger, such as a file. */
  uploadMs?: number
  /** How long a client may read nothing of an answer that is larger than what the network buffers. */
  unreadMs?: number
  /** Answers 408 on a connection and closes it. */
  refuse: (socket: Socket) => void
}

/**
 * The open connections. Ends those whose client has begun a body and then sends nothing for a while, or takes too
 * long for it, or reads nothing of its answer. A client that waits for the service is not idle.
 */
export class Connections {
  readonly #traffic = new Map<Socket, Traffic>()
  readonly #idleMs: number
  readonly #bodyMs: number
  readonly #uploadMs: number
  readonly #unreadMs: number
  readonly #intervalMs: number
  readonly #refuse: Options['refuse']
  readonly #timer: NodeJS.Timeout

  constructor(options: Options) {
    const { idleMs, bodyMs = BODY_TIMEOUT_MS, uploadMs = UPLOAD_TIMEOUT_MS } = options
    const { unreadMs = UNREAD_TIMEOUT_MS, refuse } = options
    this.#idleMs = idleMs
    this.#bodyMs = bodyMs
    this.#uploadMs = uploadMs
    this.#unreadMs = unreadMs
    this.#refuse = refuse
    this.#intervalMs = Math.min(MAX_CHECK_INTERVAL_MS, idleMs / CHECKS_PER_TIMEOUT)
    this.#timer = setInterval(() => this.#checkBodies(), this.#intervalMs).unref()
  }

  /** Takes note of a request that has begun. Bodies that may be larger than ordinary ones may take longer. */
  watch(request: IncomingMessage, response: ServerResponse, bodyLimit = BODY_LIMIT): void {
    const { socket } = request
    // Injected requests come over no connection.
    if (!(socket instanceof Socket)) return
    // Unlike a count of the written bytes, Node.js also notices that a part of one large write has been sent.
    response.setTimeout(this.#unreadMs, () => {
      if (socket.writableLength > 0) socket.destroy()
    })
    const traffic = this.#traffic.get(socket)
    const bodyMs = bodyLimit > BODY_LIMIT ? this.#uploadMs : this.#bodyMs
    if (traffic) {
      Object.assign(traffic, { request, response, bodyChecks: 0, bodyMs })
      return
    }
    this.#traffic.set(socket, { request, response, bytesRead: 0, idleChecks: 0, bodyChecks: 0, bodyMs })
    socket.once('close', () => this.#traffic.delete(socket))
  }

  /** Ends all connections, whatever they carry. */
  destroy(): void {
    for (const socket of this.#traffic.keys()) socket.destroy()
  }

  stopChecking(): void {
    clearInterval(this.#timer)
  }

  #checkBodies(): void {
    for (const [socket, traffic] of this.#traffic) {
      const { request, response, bytesRead } = traffic
      // Bytes that we have not read yet mean that we are the slow side.
      const isClientsTurn = !request.complete && request.readableLength === 0
      const isIdle = isClientsTurn && socket.bytesRead === bytesRead
      traffic.bytesRead = socket.bytesRead
      traffic.idleChecks = isIdle ? traffic.idleChecks + 1 : 0
      traffic.bodyChecks = isClientsTurn ? traffic.bodyChecks + 1 : traffic.bodyChecks
      const isTooLong = traffic.bodyChecks * this.#intervalMs >= traffic.bodyMs
      if (!isTooLong && traffic.idleChecks * this.#intervalMs < this.#idleMs) continue
      if (response.headersSent) socket.destroy()
      else this.#refuse(socket)
    }
  }
}

/** Watches the connections of all requests that reach a route, and ends those that outlast the service. */
export function watchConnections(app: FastifyInstance, connections: Connections): void {
  app.addHook('onRequest', (request, reply, done) => {
    connections.watch(request.raw, reply.raw, request.routeOptions.bodyLimit)
    done()
  })
  app.addHook('preClose', (done) => {
    setTimeout(() => {
      app.server.closeAllConnections()
      // A name such as localhost has several addresses, each with a server of its own.
      connections.destroy()
    }, CLOSE_TIMEOUT_MS).unref()
    done()
  })
  app.addHook('onClose', async () => connections.stopChecking())
}

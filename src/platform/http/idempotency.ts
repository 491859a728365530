import { createHash, type Hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import type { Db } from '#src/platform/database/database.ts'
import {
  CLAIM_SECONDS,
  claimKey,
  type RequestKey,
  readResponse,
  releaseKey,
  type StoredResponse,
  storeResponse,
  tryKey,
} from '#src/platform/database/idempotency-keys.ts'
import { inPinnedTransaction } from '#src/platform/database/pinned-connection.ts'
import { Conflict, InvalidInput, KeyReused } from '#src/platform/errors.ts'
import type { EndpointSchema } from '#src/platform/schema/shapes.ts'
import { callerOf } from './limits/rate-limits.ts'
import { isLimited, isOpen } from './routes.ts'

export const REPLAYED_HEADER = 'Idempotency-Replayed'

const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])
const RETRY_AFTER_SECONDS = 1
const VALID_KEY = /^[\x20-\x7e]{1,255}$/
/** The response headers that are stored. */
const STORED_HEADERS = ['content-type', 'location', 'x-action-id']

interface Parts {
  db: Db
  /** Starts what must not start in the transaction of a request. */
  prepare: () => Promise<unknown>
  /** Whether changes of many records are saved in several transactions, between which others are served. */
  savesInBatches: boolean
}

/** What a handler answers, before it is sent. */
type Answer = Omit<StoredResponse, 'request_hash'>

/**
 * Handles a repeated request with the same `Idempotency-Key` once, and answers it with the stored response
 * (draft-ietf-httpapi-idempotency-key-header-07). Requests without the header are not affected.
 */
export function registerIdempotency(app: FastifyInstance, parts: Parts): void {
  app.addHook('onRoute', (route) => {
    const { 'x-idempotency': mode } = (route.schema ?? {}) as Partial<EndpointSchema>
    if (!WRITES.has(String(route.method)) || !isLimited(route.url) || isOpen(route.url, route.schema)) return
    if (mode === 'own' || mode === 'none') return
    const isResumable = mode === 'resumable' || (mode === 'batched' && parts.savesInBatches)
    const handle = isResumable ? handleResumable : handleInTransaction
    const { handler } = route
    route.handler = function (request, reply) {
      const { 'idempotency-key': header } = request.headers
      if (header === undefined) return handler.call(this, request, reply)
      const key = keyOf(request, String(header))
      const run = () => answerOf(reply, (recorder) => handler.call(this, request, recorder))
      const handled = handle(parts, key, request, run).catch((error) => {
        if (error instanceof InFlight) reply.header('retry-after', RETRY_AFTER_SECONDS)
        throw error
      })
      return handled.then(({ answer, isReplayed }) => {
        if (isReplayed) reply.header(REPLAYED_HEADER, 'true')
        return send(reply, answer)
      })
    }
  })
}

function keyOf(request: FastifyRequest, key: string): RequestKey {
  if (!VALID_KEY.test(key))
    throw new InvalidInput(
      'The header Idempotency-Key must be text of 1 to 255 characters, printable ASCII only.',
    )
  const { method, url } = request.routeOptions
  return { principal: callerOf(request.user, request.ip), route: `${method} ${url}`, key }
}

type Handle = (
  parts: Parts,
  key: RequestKey,
  request: FastifyRequest,
  run: () => Promise<Answer>,
) => Promise<{ answer: Answer; isReplayed: boolean }>

/** Stores the response in the transaction that makes the changes: a crash leaves both or neither. */
const handleInTransaction: Handle = async ({ db, prepare }, key, request, run) => {
  await prepare()
  const request_hash = hashOf(request)
    .update(JSON.stringify(request.body) ?? '')
    .digest('hex')
  return inPinnedTransaction(db, async (transaction) => {
    if (!(await tryKey(transaction, key))) throw inFlight()
    const stored = await readResponse(transaction, key)
    if (stored === 'claimed') throw inFlight()
    if (stored) return { answer: requireSame(stored, request_hash), isReplayed: true }
    const answer = await run()
    await storeResponse(transaction, key, { ...answer, request_hash })
    return { answer, isReplayed: false }
  })
}

/**
 * For requests that take several transactions, and that can be repeated after a crash because they continue where they
 * stopped. The key is claimed while they run.
 */
const handleResumable: Handle = async ({ db }, key, request, run) => {
  const hash = hashOf(request)
  const isStream = (request.routeOptions.schema as Partial<EndpointSchema>).consumes !== undefined
  if (isStream) hashWhileRead(request, hash)
  else hash.update(JSON.stringify(request.body) ?? '')
  const stored = await db.transaction().execute(async (transaction) => {
    const taken = await tryKey(transaction, key)
    const response = taken ? await readResponse(transaction, key) : 'claimed'
    if (response === 'claimed') throw inFlight()
    if (!response) await claimKey(transaction, key)
    return response
  })
  if (stored) {
    if (isStream) await readRest(request)
    return { answer: requireSame(stored, hash.digest('hex')), isReplayed: true }
  }
  const renewal = setInterval(() => claimKey(db, key).catch(() => {}), (CLAIM_SECONDS / 3) * 1000)
  try {
    const answer = await run()
    // A handler may answer before it has read the file to its end.
    if (isStream) await readRest(request)
    await storeResponse(db, key, { ...answer, request_hash: hash.digest('hex') })
    return { answer, isReplayed: false }
  } catch (error) {
    await releaseKey(db, key)
    throw error
  } finally {
    clearInterval(renewal)
  }
}

/** The path and the query are part of what is repeated. */
const hashOf = (request: FastifyRequest): Hash => createHash('sha256').update(`${request.url}\n`)

/** Listening to `data` would start the stream before the handler reads it. */
function hashWhileRead({ raw }: FastifyRequest, hash: Hash): void {
  const emit = raw.emit.bind(raw) as (event: string, ...details: unknown[]) => boolean
  raw.emit = ((event: string, ...details: unknown[]) => {
    if (event === 'data') hash.update(details[0] as Buffer)
    return emit(event, ...details)
  }) as typeof raw.emit
}

async function readRest({ raw }: FastifyRequest): Promise<void> {
  // Its client may have disconnected since, which is an error only to those who still read.
  if (raw.readableEnded) return
  for await (const _chunk of raw);
}

function requireSame(stored: StoredResponse, request_hash: string): StoredResponse {
  if (stored.request_hash === request_hash) return stored
  throw new KeyReused(
    'This Idempotency-Key was already used with another request. Use a new key for each request.',
  )
}

class InFlight extends Conflict {}

const inFlight = () =>
  new InFlight('A request with this Idempotency-Key is being handled. Repeat it in a moment.')

/** Runs a handler without sending what it answers. */
async function answerOf(
  reply: FastifyReply,
  handle: (recorder: FastifyReply) => ReturnType<RouteHandlerMethod>,
): Promise<Answer> {
  let sent: unknown
  const recorder: FastifyReply = Object.create(reply, {
    send: {
      value: (payload: unknown) => {
        sent = payload
        return recorder
      },
    },
    // biome-ignore lint/suspicious/noThenProperty: awaiting a reply would wait until it has been sent
    then: { value: undefined },
  })
  const returned = await handle(recorder)
  const payload = returned === recorder ? sent : returned
  const isText = typeof payload === 'string'
  const body = payload === undefined || payload === null ? null : isText ? payload : JSON.stringify(payload)
  if (body !== null && !reply.hasHeader('content-type'))
    reply.header('content-type', 'application/json; charset=utf-8')
  const headers = STORED_HEADERS.flatMap((name) => {
    const value = reply.getHeader(name)
    return value === undefined ? [] : [[name, String(value)]]
  })
  return { status: reply.statusCode, headers: Object.fromEntries(headers), body }
}

const send = (reply: FastifyReply, { status, headers, body }: Answer): FastifyReply =>
  reply
    .code(status)
    .headers(headers)
    .send(body ?? undefined)

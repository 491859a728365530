/*
 * Repeating a request safely, with the header `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header-07). A
 * client that lost a response repeats the request with the same key: the request takes effect once, and both get the
 * same response.
 *
 * A key belongs to one caller and one route. Two callers, or two routes, may use the same text. It is in one of three
 * states:
 *
 * - free: the table `idempotency_keys` has no response that is younger than 24 hours. The request is handled.
 * - in progress: another request with the key is being handled. The answer is a 409 with `Retry-After`.
 * - answered: the row of the key has the status, some headers, and the body of the response, and a hash of the
 *   request's path, query, and body. A request with the same hash gets this response with `Idempotency-Replayed:
 *   true`; its handler does not run. Another request gets a 422: its client has reused a key.
 *
 * A stored response about a record that the caller can no longer see, such as a private note, is replaced by a 404.
 *
 * Only answers that a handler returns are stored. If it throws, which is how all errors are answered, the key becomes
 * free, so that the client can repeat the request once the cause is gone.
 *
 * Most requests are handled in one transaction (`handleInTransaction`):
 *
 *   1. It takes an advisory lock on the key, which marks it as in progress. No row is needed: PostgreSQL releases the
 *      lock when the transaction ends, even if that is because the process died.
 *   2. It reads the row of the key, and answers from it if there is one.
 *   3. The handler makes its changes. `inPinnedTransaction` makes every statement part of the transaction, and the
 *      handler's own transactions savepoints of it.
 *   4. It stores the response, and commits. Then the response is sent.
 *
 * The process may die at any point. Before the commit, PostgreSQL rolls back the changes and the response together,
 * and the key is free: the repeated request is handled as if it were the first. After the commit both are stored, and
 * the repeated request gets the stored response, even if the first one was never sent. There is no state in which the
 * change is stored without the response, or the reverse (`idempotency-killed.test.ts`).
 *
 * Some requests take several transactions: imports, undos, purges, and in the embedded database changes of many
 * records (`handleResumable`). They cannot keep a lock, so they claim the key: its row has no status, but a time
 * until which the claim holds, 15 seconds ahead. It is renewed every 5 seconds while the handler runs, and the
 * response replaces it at the end. If the process dies before that, the key is in progress until the claim has
 * expired, and free afterward. The changes that were committed stay. The repeated request runs the handler again,
 * which these handlers allow: an import matches the rows that it has written, an undo continues where it stopped. An
 * error releases the claim immediately. A file is hashed while the handler reads it, so that it need not be kept.
 *
 * After 24 hours a response counts as missing, so the key is free. The background work deletes such rows every hour.
 *
 * Endpoints choose with `x-idempotency`: `resumable`; `batched`, which is resumable in the embedded database only, and
 * of which the background work reverts what a crash has left; `own`, if they handle keys themselves, as feedback does
 * because its effect is outside the database; and `none`, if they change nothing, or their response is a secret that
 * must not be stored.
 */

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
import { bodyHasher } from './multipart-hash.ts'
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
  /** @throws NotFound if the caller may not see one of the records, such as a private note, any more */
  requireVisible: (caller: FastifyRequest['user'], ids: readonly string[]) => Promise<void>
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
      return handled.then(async ({ answer, isReplayed }) => {
        if (isReplayed) {
          await parts.requireVisible(request.user, recordsOf(request, answer))
          reply.header(REPLAYED_HEADER, 'true')
        }
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

/** The ids of the records that a request was about, and that its answer shows. */
function recordsOf({ params }: FastifyRequest, { body, headers }: Answer): string[] {
  const shown = body !== null && headers['content-type']?.startsWith('application/json') && JSON.parse(body)
  const ids = [...Object.values(params ?? {}), shown?.data?.id]
  return ids.filter((id) => typeof id === 'string')
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
  const whole = isStream ? hashWhileRead(request, hash) : undefined
  if (!isStream) hash.update(JSON.stringify(request.body) ?? '')
  const stored = await db.transaction().execute(async (transaction) => {
    const taken = await tryKey(transaction, key)
    const response = taken ? await readResponse(transaction, key) : 'claimed'
    if (response === 'claimed') throw inFlight()
    if (!response) await claimKey(transaction, key)
    return response
  })
  if (stored) {
    if (isStream) await readRest(request)
    whole?.end()
    return { answer: requireSame(stored, hash.digest('hex')), isReplayed: true }
  }
  const renewal = setInterval(() => claimKey(db, key).catch(() => {}), (CLAIM_SECONDS / 3) * 1000)
  try {
    const answer = await run()
    // A handler may answer before it has read the file to its end.
    if (isStream) await readRest(request)
    whole?.end()
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

/** Listening to `data` would start the stream before the handler reads it. @returns what ends the hash */
function hashWhileRead({ raw, headers }: FastifyRequest, hash: Hash): { end(): void } {
  const hasher = bodyHasher(hash, headers['content-type'])
  const emit = raw.emit.bind(raw) as (event: string, ...details: unknown[]) => boolean
  raw.emit = ((event: string, ...details: unknown[]) => {
    if (event === 'data') hasher.update(details[0] as Buffer)
    return emit(event, ...details)
  }) as typeof raw.emit
  return hasher
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

import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply, InjectOptions } from 'fastify'
import { pino } from 'pino'
import { buildApp } from '#src/app.ts'
import { startBackground } from '#src/background.ts'
import { type Context, type ContextParts, createContext } from '#src/context.ts'
import { promoteFirstAdmins } from '#src/features/users/first-admins.ts'
import { type Config, loadConfig } from '#src/platform/config/config.ts'
import { freshDatabase } from './database.ts'
import { checkAnswer } from './schema-check.ts'
import { ada, NO_RATE_LIMITS } from './settings.ts'

export interface TestApp {
  app: FastifyInstance
  context: Context
  config: Config
  /** Calls the API as Ada and returns the status, headers and parsed body. */
  call(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    body?: unknown,
    options?: InjectOptions,
  ): Promise<Answer>
  close(): Promise<void>
}

export interface Answer {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  // biome-ignore lint/suspicious/noExplicitAny: tests assert what they expect
  body: any
}

/**
 * Creates the application with a new database: on PostgreSQL if `TEST_DATABASE_URL` is set, else on PGlite in memory.
 */
export async function testApp(
  settings: Record<string, string> = {},
  overrides: Partial<ContextParts> = {},
): Promise<TestApp> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-test-'))
  const config = loadConfig({
    NODE_ENV: 'test',
    DATA_DIR: folder,
    LOG_LEVEL: 'silent',
    // Needs no model.
    EMBEDDINGS: 'builtin-words',
    ...NO_RATE_LIMITS,
    ...settings,
  })
  const database = overrides.database ?? (await freshDatabase())
  const context = await createContext(config, {
    log: pino({ level: config.logLevel }),
    webFolder: undefined,
    ...overrides,
    database,
  })
  await promoteFirstAdmins(context)
  const stopBackground = startBackground(context, '', ['access', 'counters', 'words', 'vectors'])
  const app = await buildApp(context)
  // Without it, many requests in a row would let no timer run, and so no background work.
  app.addHook('onRequest', () => setImmediate())
  app.addHook('onSend', async (request, reply, payload) => {
    // Stored files are sent as they are, whatever they contain.
    const isFile = Buffer.isBuffer(payload) && request.url.startsWith('/assets/')
    const type = String(reply.getHeader('content-type'))
    if (!isFile)
      checkAnswer(request.routeOptions.schema, reply.statusCode, type, decompressed(reply, payload))
    return payload
  })
  return {
    app,
    context,
    config,
    call: (method, url, body, options) => call(app, method, url, body, options),
    close: async () => {
      await app.close()
      await stopBackground()
      await context.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The payload before it was compressed. */
function decompressed(reply: FastifyReply, payload: unknown): unknown {
  const encoding = reply.getHeader('content-encoding')
  if (encoding === undefined || !Buffer.isBuffer(payload)) return payload
  return encoding === 'br' ? brotliDecompressSync(payload) : gunzipSync(payload)
}

async function call(
  app: FastifyInstance,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  url: string,
  body?: unknown,
  options?: InjectOptions,
): Promise<Answer> {
  const answer = await app.inject({
    method,
    url,
    headers: { 'x-user-email': ada },
    ...(body === undefined ? {} : { payload: body as object }),
    ...options,
  })
  const isJson = String(answer.headers['content-type']).startsWith('application/json')
  return {
    status: answer.statusCode,
    headers: answer.headers,
    body: isJson && answer.body ? JSON.parse(answer.body) : answer.body,
  }
}

import { type ExecFileOptions, execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import type { FastifyInstance, InjectOptions } from 'fastify'
import pg from 'pg'
import { pino } from 'pino'
import { buildApp } from './app.ts'
import { type Context, type ContextParts, createContext } from './context.ts'
import { migrations } from './migrations/migrations.ts'
import { type Config, loadConfig } from './platform/config/config.ts'
import { type Database, openDatabase, openPglite } from './platform/database/database.ts'
import { migrate } from './platform/database/migrate.ts'
import { ErrorBody } from './platform/schema/shapes.ts'
import { faultOf } from './platform/schema/validate.ts'

/** Where tests find a PostgreSQL that they may make databases in; without it they run on PGlite. */
export const testServer = process.env.TEST_DATABASE_URL || undefined

export interface TestApp {
  app: FastifyInstance
  context: Context
  config: Config
  /** Calls the API as Ada, and gives the status, the headers and the parsed body. */
  call(
    method: 'GET' | 'POST' | 'PATCH',
    url: string,
    body?: unknown,
    options?: InjectOptions,
  ): Promise<Answer>
  close(): Promise<void>
}

export interface Answer {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  // biome-ignore lint/suspicious/noExplicitAny: tests say what they expect of it
  body: any
}

export const ada = 'ada@example.com'

export const NO_RATE_LIMITS = { RATE_LIMIT_STANDARD: '0', RATE_LIMIT_AI: '0', RATE_LIMIT_BULK: '0' }

/** Settings with which production starts; nothing listens at this identity provider. */
export const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://deals.example.com',
  SESSION_SECRET: 'a-secret-of-tests-0123456789-abcdefghij',
  IDP_ISSUER: 'http://127.0.0.1:1',
  IDP_CLIENT_ID: 'deal-pipeline',
  IDP_CLIENT_SECRET: 'nothing',
  ALLOWED_DOMAIN: 'example.com',
}

/** The application over a fresh database: PostgreSQL's where `TEST_DATABASE_URL` says so, else PGlite's in memory. */
export async function testApp(
  settings: Record<string, string> = {},
  overrides: Partial<ContextParts> = {},
): Promise<TestApp> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'deal-pipeline-test-'))
  const config = loadConfig({
    NODE_ENV: 'test',
    DATA_DIR: folder,
    LOG_LEVEL: 'silent',
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
  const app = await buildApp(context)
  app.addHook('onSend', async (request, reply, payload) => {
    checkAnswer(
      request.routeOptions.schema,
      reply.statusCode,
      String(reply.getHeader('content-type')),
      payload,
    )
    return payload
  })
  return {
    app,
    context,
    config,
    call: async (method, url, body, options) => {
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
    },
    close: async () => {
      await app.close()
      await context.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A database with the current schema and nothing in it; closing it removes it. */
export async function freshDatabase(): Promise<Database> {
  if (testServer) return freshPostgres(testServer)
  const database = await openPglite(undefined, await migratedCopy())
  return database
}

let copy: Promise<Blob> | undefined

/** Making a PGlite takes seconds and copying one takes a third of one, so each test process makes one. */
function migratedCopy(): Promise<Blob> {
  copy ??= (async () => {
    const { db, pglite } = await openPglite(undefined)
    await migrate(db, migrations)
    const blob = await pglite.dumpDataDir('none')
    await db.destroy()
    return blob
  })()
  return copy
}

/** A new database on the server with the current schema; closing it removes it. */
export async function freshPostgres(server: string): Promise<Database> {
  const { url, drop } = await createPostgres(server)
  const database = await openDatabase({ databaseUrl: url, dataFolder: '' })
  await migrate(database.db, migrations)
  return {
    ...database,
    close: async () => {
      await database.close()
      await drop()
    },
  }
}

export interface CommandLineRun {
  status: number
  output: string
  errors: string
}

/** Runs the command line, with these words and options of the process. */
export const runCommandLine = (words: string[], options: ExecFileOptions = {}): Promise<CommandLineRun> =>
  new Promise((resolve) => {
    const file = path.join(import.meta.dirname, 'cli', 'main.ts')
    execFile(process.execPath, [file, ...words], { ...options, encoding: 'utf8' }, (error, output, errors) =>
      resolve({ status: error ? Number(error.code) : 0, output, errors }),
    )
  })

/** A port of this machine that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, 'localhost')
  await once(server, 'listening')
  const { port } = server.address() as net.AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** A new empty database on the server. */
export async function createPostgres(server: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await administer(server, `create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => administer(server, `drop database if exists ${name} with (force)`) }
}

async function administer(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

const checks = new Map<object, (value: unknown) => string | undefined>()

/** Fails the test whose answer is not what the OpenAPI document says of it. */
function checkAnswer(schema: unknown, status: number, contentType: string, payload: unknown): void {
  if (!contentType.startsWith('application/json') || typeof payload !== 'string' || payload === '') return
  const { hide, response } = (schema ?? {}) as { hide?: boolean; response?: Record<number, object> }
  if (hide) return
  const shape = status >= 400 ? ErrorBody : response?.[status]
  if (!shape) throw new Error(`The schema says nothing of status ${status}.`)
  if (!checks.has(shape)) checks.set(shape, faultOf(shape))
  const fault = checks.get(shape)?.(JSON.parse(payload))
  if (fault) throw new Error(`The answer does not fit its schema: ${fault}`)
}

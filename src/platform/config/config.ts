import { existsSync } from 'node:fs'
import path from 'node:path'
import {
  isLoopbackHost,
  isNetwork,
  isProtectedAddress,
  isWebAddress,
} from '#src/platform/network/addresses.ts'
import type { RateClass } from '#src/platform/schema/shapes.ts'
import { type AuthenticationConfig, readAuthentication } from './authentication.ts'
import { type DatabaseTimeouts, readDatabaseTimeouts, readDatabaseUrl } from './database.ts'
import { type EmbeddingsConfig, readEmbeddings } from './embeddings.ts'
import { type LlmConfig, readLlm } from './language-model.ts'
import { type ObjectsConfig, readObjects } from './objects.ts'
import { type Environment, Settings } from './settings.ts'
import { readTracker, type TrackerConfig } from './tracker.ts'

export interface Config {
  readonly production: boolean
  readonly host: string
  readonly port: number
  /** The origin under which people and programs reach the service, without a slash at the end. */
  readonly publicUrl: string
  /** The addresses of the proxies that are believed what they say of a request; `false`: there is none. */
  readonly trustProxy: false | readonly string[]
  readonly dataFolder: string
  /** `undefined`: the embedded database under `dataFolder`. */
  readonly databaseUrl: string | undefined
  readonly databaseTimeouts: DatabaseTimeouts
  readonly logLevel: (typeof LOG_LEVELS)[number]
  /** Origins, besides our own, whose pages may call the API. */
  readonly corsOrigins: readonly string[]
  readonly embeddings: EmbeddingsConfig
  readonly llm: LlmConfig
  readonly objects: ObjectsConfig
  readonly worker: WorkerConfig
  readonly tracker: TrackerConfig
  readonly authentication: AuthenticationConfig
  /** Requests a minute and caller, by class; 0: no limit. */
  readonly rateLimits: Readonly<Record<RateClass, number>>
  /** Where processes share their rate limits; `undefined`: each has its own. */
  readonly redisUrl: string | undefined
  /** Settings that are set and have no effect, a line each. */
  readonly warnings: readonly string[]
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
/** Who carries out bulk actions. */
export interface WorkerConfig {
  /** `in-process`: the service itself; `off`: workers of their own (`npm run worker`). */
  readonly kind: (typeof WORKERS)[number]
  /** Batches that a worker works on at a time. */
  readonly concurrency: number
  /** Where a worker of its own reaches the service. */
  readonly apiUrl: string
}

const WORKERS = ['in-process', 'off'] as const
const MAX_REQUESTS = 1_000_000_000
const PRIVATE_NETWORKS: readonly string[] = Object.freeze(['loopback', 'linklocal', 'uniquelocal'])

/** Thrown with one line for each setting that is wrong. */
export class ConfigError extends Error {}

/** Reads `.env` in the working folder, where there is one; what the environment already has goes first. */
export function readEnvironmentFile(): void {
  if (existsSync('.env')) process.loadEnvFile('.env')
}

/**
 * Reads all settings from the environment.
 * @throws ConfigError with one line a fault
 */
export function loadConfig(environment: Environment): Config {
  const settings = new Settings(environment)
  const mode = settings.text('NODE_ENV') ?? 'development'
  if (!['development', 'production', 'test'].includes(mode))
    settings.refuse('NODE_ENV', 'development, test or production')
  const production = mode === 'production'

  const host = settings.text('HOST') ?? (production ? '0.0.0.0' : 'localhost')
  if (!production && !isLoopbackHost(host))
    settings.refuse(
      'HOST',
      'localhost, 127.0.0.1 or ::1 unless NODE_ENV is production (nobody has to sign in there)',
    )
  const port = settings.wholeNumber('PORT', 3000, 0, 65_535)

  const config: Config = {
    production,
    host,
    port,
    publicUrl: readPublicUrl(settings, port, production),
    trustProxy: readTrustProxy(settings),
    dataFolder: path.resolve(settings.text('DATA_DIR') ?? './data'),
    databaseUrl: readDatabaseUrl(settings),
    databaseTimeouts: readDatabaseTimeouts(settings),
    logLevel: settings.oneOf('LOG_LEVEL', 'info', LOG_LEVELS),
    corsOrigins: readOrigins(settings, production),
    embeddings: readEmbeddings(settings),
    llm: readLlm(settings, production),
    objects: readObjects(settings),
    worker: readWorker(settings, port),
    tracker: readTracker(settings),
    authentication: readAuthentication(settings, production),
    rateLimits: Object.freeze({
      standard: settings.wholeNumber('RATE_LIMIT_STANDARD', 100, 0, MAX_REQUESTS),
      ai: settings.wholeNumber('RATE_LIMIT_AI', 50, 0, MAX_REQUESTS),
      bulk: settings.wholeNumber('RATE_LIMIT_BULK', 5, 0, MAX_REQUESTS),
    }),
    redisUrl: readRedisUrl(settings),
    warnings: Object.freeze(settings.warnings),
  }
  if (settings.faults.length > 0) throw new ConfigError(settings.faults.join('\n'))
  return Object.freeze(config)
}

function readWorker(settings: Settings, port: number): WorkerConfig {
  const apiUrl = settings.text('API_URL')
  if (apiUrl && !isWebAddress(apiUrl)) settings.refuse('API_URL', 'an address such as http://localhost:3000')
  return Object.freeze({
    kind: settings.oneOf('WORKER', 'in-process', WORKERS),
    concurrency: settings.wholeNumber('WORKER_CONCURRENCY', 4, 1, 200),
    apiUrl: apiUrl ?? `http://localhost:${port}`,
  })
}

function readPublicUrl(settings: Settings, port: number, production: boolean): string {
  const text = settings.text('PUBLIC_URL')
  if (!text) return `http://localhost:${port}`
  if (!isWebAddress(text) || new URL(text).href !== `${new URL(text).origin}/`)
    settings.refuse('PUBLIC_URL', 'an address without a path, such as https://crm.example.com')
  else if (production && !isProtectedAddress(text))
    settings.refuse('PUBLIC_URL', 'an https:// address in production')
  else return new URL(text).origin
  return text
}

function readRedisUrl(settings: Settings): string | undefined {
  const redisUrl = settings.text('REDIS_URL')
  if (redisUrl && !(/^rediss?:\/\//.test(redisUrl) && URL.canParse(redisUrl)))
    settings.demand('REDIS_URL', 'must be an address such as redis://user:password@host:6379')
  return redisUrl
}

function readOrigins(settings: Settings, production: boolean): readonly string[] {
  const origins = settings.list('CORS_ORIGINS')
  if (!origins.every((origin) => isWebAddress(origin) && new URL(origin).origin === origin))
    settings.refuse('CORS_ORIGINS', 'origins such as https://app.example.com, with commas between them')
  else if (production && !origins.every(isProtectedAddress))
    settings.refuse('CORS_ORIGINS', 'https:// origins in production')
  return Object.freeze(origins)
}

/** Not a number of proxies: then whoever reaches the service directly would be believed what it says of itself. */
function readTrustProxy(settings: Settings): Config['trustProxy'] {
  const text = settings.text('TRUST_PROXY')?.toLowerCase()
  if (!text || text === 'false') return false
  if (text === 'true') return PRIVATE_NETWORKS
  const parts = settings.list('TRUST_PROXY').map((part) => part.toLowerCase())
  if (parts.every((part) => PRIVATE_NETWORKS.includes(part) || isNetwork(part))) return Object.freeze(parts)
  settings.refuse(
    'TRUST_PROXY',
    `the addresses of the proxies, such as 10.0.0.0/8 or ${PRIVATE_NETWORKS.join(', ')}, with commas between them; or true for proxies in private networks`,
  )
  return false
}

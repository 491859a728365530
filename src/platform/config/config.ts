import { existsSync } from 'node:fs'
import path from 'node:path'
import { isLoopbackHost, isNetwork, isSecureUrl, isWebUrl } from '#src/platform/network/addresses.ts'
import type { RateClass } from '#src/platform/schema/shapes.ts'
import { isTimeZone, UTC } from '#src/platform/schema/time-zone.ts'
import { type AuthenticationConfig, readAuthentication } from './authentication.ts'
import { type BackupsConfig, readBackups } from './backups.ts'
import { type DatabaseTimeouts, readDatabaseTimeouts, readDatabaseUrl } from './database.ts'
import { type EmbeddingsConfig, readEmbeddings } from './embeddings.ts'
import { type MailConfig, readMail } from './mail.ts'
import { type MetricsAddress, readMetrics } from './metrics.ts'
import { type LlmConfig, readLlm } from './model-endpoint.ts'
import { type ObjectsConfig, readObjects } from './objects.ts'
import { type Environment, Settings } from './settings.ts'
import { readTracker, type TrackerConfig } from './tracker.ts'

export interface Config {
  readonly production: boolean
  /** Whether roles and ownership restrict what users may do, and every request needs a user. */
  readonly enforceRoles: boolean
  readonly host: string
  readonly port: number
  /** Where the metrics listen; `undefined` if they are off. */
  readonly metrics: MetricsAddress | undefined
  /** The name of the workspace in the web app; `undefined`: the web app's default. */
  readonly workspaceName: string | undefined
  /** The IANA time zone whose days count for users who have chosen none. */
  readonly timeZone: string
  /** The origin at which users and clients reach the service, without a trailing slash. */
  readonly publicUrl: string
  /** The addresses of the proxies whose `X-Forwarded-*` headers are trusted; `false` for none. */
  readonly trustProxy: false | readonly string[]
  readonly dataFolder: string
  /** `undefined` selects the embedded database under `dataFolder`. */
  readonly databaseUrl: string | undefined
  /** What has to stay free on a disk that the service writes to. */
  readonly freeSpace: { readonly minBytes: number; readonly minPercent: number }
  /** How long the event loop may be silent before the process ends; 0: forever. */
  readonly watchdogSeconds: number
  /** How long a client may take to send the headers, and to send the next byte of a body. */
  readonly requestTimeouts: { readonly headersMs: number; readonly idleMs: number }
  readonly databaseTimeouts: DatabaseTimeouts
  readonly logLevel: (typeof LOG_LEVELS)[number]
  /** Other origins whose pages may call the API. */
  readonly corsOrigins: readonly string[]
  readonly embeddings: EmbeddingsConfig
  readonly llm: LlmConfig
  readonly objects: ObjectsConfig
  /** Whether the icons of websites are fetched. */
  readonly logos: (typeof LOGOS)[number]
  /** `undefined`: no mail is sent. */
  readonly mail: MailConfig | undefined
  readonly worker: WorkerConfig
  readonly tracker: TrackerConfig
  readonly authentication: AuthenticationConfig
  /** Days after which deleted records are purged; 0: never. */
  readonly trashDays: number
  /** How much all versions of all files may take, in bytes; `undefined`: no limit. */
  readonly maxFilesBytes: number | undefined
  /** Months without changes after which contacts are listed as due for erasure; 0: never. */
  readonly contactRetentionMonths: number
  /** Requests per minute per caller, by class, and attempts to sign in; 0 means no limit. */
  readonly rateLimits: Readonly<Record<LimitName, number>>
  /** The Redis server through which processes share rate limits. If `undefined`, each process counts its own. */
  readonly redisUrl: string | undefined
  /** The settings as they were given, by name, without secrets. */
  readonly shownSettings: Readonly<Record<string, string>>
  readonly backups: BackupsConfig
  /** Warnings about settings that have no effect, one line each. */
  readonly warnings: readonly string[]
}

/** What is limited per minute: the rate classes of operations, the web app's standard requests, and attempts to sign in. */
export type LimitName = RateClass | 'web_app' | 'sign_in'

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
/** Where bulk actions run. */
export interface WorkerConfig {
  /** `in-process` runs them in the service; `off` leaves them to separate workers (`npm run worker`). */
  readonly kind: (typeof WORKERS)[number]
  /** How many batches a worker processes concurrently. */
  readonly concurrency: number
  /** The URL at which a separate worker reaches the service. */
  readonly apiUrl: string
}

const LOGOS = ['off', 'websites'] as const
const WORKERS = ['in-process', 'off'] as const
const MAX_WORKSPACE_NAME_LENGTH = 60
const MAX_FILES_GB = 1_000_000
const MAX_REQUESTS = 1_000_000_000
const PRIVATE_NETWORKS: readonly string[] = Object.freeze(['loopback', 'linklocal', 'uniquelocal'])

/** The message has one line for each invalid setting. */
export class ConfigError extends Error {}

/** Reads `.env` in the working directory, if it exists. Variables that are already set take precedence. */
export function readEnvironmentFile(): void {
  if (existsSync('.env')) process.loadEnvFile('.env')
}

/**
 * Reads all settings from the environment.
 * @throws ConfigError with one line per invalid setting
 */
export function loadConfig(environment: Environment): Config {
  const settings = new Settings(environment)
  const mode = settings.text('NODE_ENV') ?? 'development'
  if (!['development', 'production', 'test'].includes(mode))
    settings.reject('NODE_ENV', 'development, test or production')
  const production = mode === 'production'

  const host = settings.text('HOST') ?? (production ? '0.0.0.0' : 'localhost')
  if (!production && !isLoopbackHost(host))
    settings.reject(
      'HOST',
      'localhost, 127.0.0.1 or ::1 unless NODE_ENV is production (development does not require sign-in)',
    )
  const port = settings.wholeNumber('PORT', 3000, 0, 65_535)

  const config: Config = {
    production,
    enforceRoles: readEnforceRoles(settings, production),
    host,
    port,
    metrics: readMetrics(settings, port, production),
    workspaceName: readWorkspaceName(settings),
    timeZone: readTimeZone(settings),
    publicUrl: readPublicUrl(settings, port, production),
    trustProxy: readTrustProxy(settings),
    dataFolder: path.resolve(settings.text('DATA_DIR') ?? './data'),
    databaseUrl: readDatabaseUrl(settings),
    freeSpace: Object.freeze({
      minBytes: settings.wholeNumber('MIN_FREE_DISK_MB', 64, 0, 1_000_000) * 1024 * 1024,
      minPercent: settings.wholeNumber('MIN_FREE_DISK_PERCENT', 2, 0, 50),
    }),
    watchdogSeconds: settings.wholeNumber('WATCHDOG_SECONDS', 60, 0, 86_400),
    requestTimeouts: Object.freeze({
      headersMs: settings.wholeNumber('HEADERS_TIMEOUT_SECONDS', 30, 1, 3600) * 1000,
      idleMs: settings.wholeNumber('BODY_IDLE_TIMEOUT_SECONDS', 30, 1, 3600) * 1000,
    }),
    databaseTimeouts: readDatabaseTimeouts(settings),
    logLevel: settings.oneOf('LOG_LEVEL', 'info', LOG_LEVELS),
    corsOrigins: readOrigins(settings, production),
    embeddings: readEmbeddings(settings),
    llm: readLlm(settings, production),
    objects: readObjects(settings),
    logos: settings.oneOf('LOGOS', 'off', LOGOS),
    mail: readMail(settings),
    worker: readWorker(settings, port),
    tracker: readTracker(settings),
    authentication: readAuthentication(settings, production),
    trashDays: settings.wholeNumber('TRASH_DAYS', 30, 0, 36_500),
    maxFilesBytes: readMaxFilesBytes(settings),
    contactRetentionMonths: settings.wholeNumber('CONTACT_RETENTION_MONTHS', 0, 0, 1200),
    rateLimits: Object.freeze({
      standard: settings.wholeNumber('RATE_LIMIT_STANDARD', 100, 0, MAX_REQUESTS),
      web_app: settings.wholeNumber('RATE_LIMIT_WEB_APP', 600, 0, MAX_REQUESTS),
      ai: settings.wholeNumber('RATE_LIMIT_AI', 50, 0, MAX_REQUESTS),
      bulk: settings.wholeNumber('RATE_LIMIT_BULK', 5, 0, MAX_REQUESTS),
      import: settings.wholeNumber('RATE_LIMIT_IMPORT', 60, 0, MAX_REQUESTS),
      logo: settings.wholeNumber('RATE_LIMIT_LOGOS', 1000, 0, MAX_REQUESTS),
      sign_in: settings.wholeNumber('RATE_LIMIT_SIGN_IN', 30, 0, MAX_REQUESTS),
    }),
    redisUrl: readRedisUrl(settings),
    backups: readBackups(settings),
    warnings: Object.freeze(settings.warnings),
    shownSettings: Object.freeze(settings.shown()),
  }
  if (settings.errors.length > 0) throw new ConfigError(settings.errors.join('\n'))
  return Object.freeze(config)
}

function readEnforceRoles(settings: Settings, production: boolean): boolean {
  const isOn = settings.oneOf('ENFORCE_ROLES', String(production), ['true', 'false']) === 'true'
  if (production && !isOn) settings.reject('ENFORCE_ROLES', 'true in production')
  return isOn
}

function readWorkspaceName(settings: Settings): string | undefined {
  const name = settings.text('WORKSPACE_NAME')
  if (name && name.length > MAX_WORKSPACE_NAME_LENGTH)
    settings.reject('WORKSPACE_NAME', `at most ${MAX_WORKSPACE_NAME_LENGTH} characters`)
  return name
}

function readTimeZone(settings: Settings): string {
  const zone = settings.text('TIME_ZONE') ?? UTC
  if (!isTimeZone(zone)) settings.reject('TIME_ZONE', 'an IANA time zone such as Europe/Berlin')
  return zone
}

function readMaxFilesBytes(settings: Settings): number | undefined {
  if (settings.text('FILES_MAX_GB') === undefined) return undefined
  const gigabytes = Number(settings.text('FILES_MAX_GB'))
  if (!(gigabytes > 0 && gigabytes <= MAX_FILES_GB))
    settings.reject('FILES_MAX_GB', `a number of gigabytes above 0, and at most ${MAX_FILES_GB}`)
  return Math.floor(gigabytes * 1024 ** 3)
}

function readWorker(settings: Settings, port: number): WorkerConfig {
  const apiUrl = settings.text('API_URL')
  if (apiUrl && !isWebUrl(apiUrl)) settings.reject('API_URL', 'a URL such as http://localhost:3000')
  return Object.freeze({
    kind: settings.oneOf('WORKER', 'in-process', WORKERS),
    concurrency: settings.wholeNumber('WORKER_CONCURRENCY', 4, 1, 200),
    apiUrl: apiUrl ?? `http://localhost:${port}`,
  })
}

function readPublicUrl(settings: Settings, port: number, production: boolean): string {
  const text = settings.text('PUBLIC_URL')
  if (!text) return `http://localhost:${port}`
  if (!isWebUrl(text) || new URL(text).href !== `${new URL(text).origin}/`)
    settings.reject('PUBLIC_URL', 'a URL without a path, such as https://crm.example.com')
  else if (production && !isSecureUrl(text)) settings.reject('PUBLIC_URL', 'an https:// URL in production')
  else return new URL(text).origin
  return text
}

function readRedisUrl(settings: Settings): string | undefined {
  const redisUrl = settings.text('REDIS_URL')
  if (redisUrl && !(/^rediss?:\/\//.test(redisUrl) && URL.canParse(redisUrl)))
    settings.addError('REDIS_URL', 'must be a URL such as redis://user:password@host:6379')
  return redisUrl
}

function readOrigins(settings: Settings, production: boolean): readonly string[] {
  const origins = settings.list('CORS_ORIGINS')
  if (!origins.every((origin) => isWebUrl(origin) && new URL(origin).origin === origin))
    settings.reject('CORS_ORIGINS', 'a comma-separated list of origins such as https://app.example.com')
  else if (production && !origins.every(isSecureUrl))
    settings.reject('CORS_ORIGINS', 'https:// origins in production')
  return Object.freeze(origins)
}

/** A hop count is not accepted: clients that bypass the proxy could then forge their address. */
function readTrustProxy(settings: Settings): Config['trustProxy'] {
  const text = settings.text('TRUST_PROXY')?.toLowerCase()
  if (!text || text === 'false') return false
  if (text === 'true') return PRIVATE_NETWORKS
  const parts = settings.list('TRUST_PROXY').map((part) => part.toLowerCase())
  if (parts.every((part) => PRIVATE_NETWORKS.includes(part) || isNetwork(part))) return Object.freeze(parts)
  settings.reject(
    'TRUST_PROXY',
    `a comma-separated list of proxy addresses, such as 10.0.0.0/8 or ${PRIVATE_NETWORKS.join(', ')}; or true to trust proxies in private networks`,
  )
  return false
}

import { existsSync } from 'node:fs'
import path from 'node:path'
import { isWebAddress } from './formats.ts'

export interface Config {
  readonly production: boolean
  readonly host: string
  readonly port: number
  /** The address under which people and programs reach the service, without a slash at the end. */
  readonly publicUrl: string
  readonly dataFolder: string
  /** `undefined`: the embedded database under `dataFolder`. */
  readonly databaseUrl: string | undefined
  readonly logLevel: (typeof LOG_LEVELS)[number]
  /** Origins, besides our own, whose pages may call the API. */
  readonly corsOrigins: readonly string[]
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
const LOOPBACK = new Set(['localhost', '127.0.0.1', '::1'])

/** Thrown with one line for each setting that is wrong. */
export class ConfigError extends Error {}

type Environment = Readonly<Record<string, string | undefined>>

/** Reads `.env` in the working folder, where there is one; what the environment already has goes first. */
export function readEnvironmentFile(): void {
  if (existsSync('.env')) process.loadEnvFile('.env')
}

/**
 * Reads all settings from the environment.
 * @throws ConfigError with one line a fault
 */
export function loadConfig(environment: Environment): Config {
  const faults: string[] = []
  const read = (name: string) => environment[name]?.trim() || undefined
  const fault = (name: string, allowed: string) => {
    faults.push(`${name}: must be ${allowed}, not "${environment[name]}"`)
  }

  const mode = read('NODE_ENV') ?? 'development'
  if (!['development', 'production', 'test'].includes(mode))
    fault('NODE_ENV', 'development, test or production')
  const production = mode === 'production'

  const host = read('HOST') ?? (production ? '0.0.0.0' : 'localhost')
  if (!production && !LOOPBACK.has(host))
    fault('HOST', 'localhost, 127.0.0.1 or ::1 unless NODE_ENV is production (nobody signs in there)')

  const port = Number(read('PORT') ?? 3000)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) fault('PORT', 'a whole number from 0 to 65535')

  const publicUrl = (read('PUBLIC_URL') ?? `http://localhost:${port}`).replace(/\/+$/, '')
  if (read('PUBLIC_URL') && !isWebAddress(publicUrl))
    fault('PUBLIC_URL', 'an address such as https://deals.example.com')

  const databaseUrl = read('DATABASE_URL')
  if (databaseUrl && !/^postgres(ql)?:\/\//.test(databaseUrl))
    fault('DATABASE_URL', 'an address such as postgres://user:password@host:5432/database')

  const logLevel = (read('LOG_LEVEL') ?? 'info') as Config['logLevel']
  if (!LOG_LEVELS.includes(logLevel)) fault('LOG_LEVEL', `one of ${LOG_LEVELS.join(', ')}`)

  const corsOrigins = (read('CORS_ORIGINS') ?? '').split(/[\s,]+/).filter(Boolean)
  if (!corsOrigins.every((origin) => isWebAddress(origin) && new URL(origin).origin === origin))
    fault('CORS_ORIGINS', 'origins such as https://app.example.com, with commas between them')

  if (faults.length > 0) throw new ConfigError(faults.join('\n'))
  return Object.freeze({
    production,
    host,
    port,
    publicUrl,
    dataFolder: path.resolve(read('DATA_DIR') ?? './data'),
    databaseUrl,
    logLevel,
    corsOrigins: Object.freeze(corsOrigins),
  })
}

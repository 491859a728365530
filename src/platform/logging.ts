import { type DestinationStream, type Logger, pino } from 'pino'
import pretty from 'pino-pretty'
import type { Config } from './config.ts'

/** The service's log on standard output: lines of JSON, or coloured text in a terminal. */
export function createLogger(config: Pick<Config, 'logLevel'>): Logger {
  const destination: DestinationStream = process.stdout.isTTY
    ? pretty({ translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname', singleLine: true })
    : pino.destination({ fd: 1, sync: false, minLength: 0 })
  return pino(
    { level: config.logLevel, base: undefined, timestamp: pino.stdTimeFunctions.isoTime },
    destination,
  )
}

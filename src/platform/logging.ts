import { type DestinationStream, type Logger, pino } from 'pino'
import pretty from 'pino-pretty'
import type { Config } from './config.ts'

/** An error without what it carries: a database's error has the statement's values, which are people's data. */
export const errorForLog = ({
  name,
  message,
  stack,
  ...error
}: Error & { code?: string; constraint?: string }) => ({
  type: name,
  message,
  code: error.code,
  constraint: error.constraint,
  stack,
})

/** The service's log on standard output: lines of JSON, or coloured text in a terminal. */
export function createLogger(config: Pick<Config, 'logLevel'>): Logger {
  const destination: DestinationStream = process.stdout.isTTY
    ? pretty({ translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname', singleLine: true })
    : pino.destination({ fd: 1, sync: false, minLength: 0 })
  return pino(
    {
      level: config.logLevel,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: errorForLog },
    },
    destination,
  )
}

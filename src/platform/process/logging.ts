import { isatty } from 'node:tty'
import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config } from '#src/platform/config/config.ts'
import { LogOutput, STDOUT } from './log-output.ts'

/**
 * An error and its causes, without other properties: database errors carry statement values, which are personal data.
 */
export const errorForLog = ({
  name,
  message,
  stack,
  cause,
  ...error
}: Error & { code?: string; constraint?: string }): object => ({
  type: name,
  message,
  code: error.code,
  constraint: error.constraint,
  stack,
  causes: causesOf(cause),
})

/** Names, messages and codes of an error and its causes, outermost first. */
export function causesOf(cause: unknown, depth = 0): string[] | undefined {
  if (!(cause instanceof Error) || depth > 5) return undefined
  const { code } = cause as { code?: string }
  return [
    `${cause.name}: ${cause.message}${code ? ` (${code})` : ''}`,
    ...(causesOf(cause.cause, depth + 1) ?? []),
  ]
}

/** The service's log on standard output: JSON lines, or colored text in a terminal. */
export async function createLogger(config: Pick<Config, 'logLevel'>): Promise<Logger> {
  const destination = isatty(STDOUT) ? await terminal() : new LogOutput()
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

async function terminal(): Promise<DestinationStream> {
  const { default: pretty } = await import('pino-pretty')
  return pretty({ translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname', singleLine: true })
}

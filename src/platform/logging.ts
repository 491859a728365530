import { writeSync } from 'node:fs'
import { isatty } from 'node:tty'
import { type DestinationStream, type Logger, pino } from 'pino'
import pretty from 'pino-pretty'
import type { Config } from './config.ts'

/**
 * An error and what caused it, without what else they carry: a database's error has the statement's values, which are
 * people's data.
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

function causesOf(cause: unknown, depth = 0): string[] | undefined {
  if (!(cause instanceof Error) || depth > 5) return undefined
  const { code } = cause as { code?: string }
  return [
    `${cause.name}: ${cause.message}${code ? ` (${code})` : ''}`,
    ...(causesOf(cause.cause, depth + 1) ?? []),
  ]
}

const STDOUT = 1

/** The service's log on standard output: lines of JSON, or coloured text in a terminal. */
export function createLogger(config: Pick<Config, 'logLevel'>): Logger {
  const destination: DestinationStream = isatty(STDOUT)
    ? pretty({ translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname', singleLine: true })
    : linesOfATurn()
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

/**
 * Writes what one turn of the event loop has logged at once: a write for each line would cost more than all else that the
 * log does. It is written before the process goes on, so that one that ends loses no line.
 */
function linesOfATurn(): DestinationStream {
  let lines = ''
  const writeThem = () => {
    const text = lines
    lines = ''
    if (text !== '') writeOut(text)
  }
  process.on('exit', writeThem)
  return {
    write: (line) => {
      if (lines === '') setImmediate(writeThem)
      lines += line
    },
  }
}

const NEVER = new Int32Array(new SharedArrayBuffer(4))

/** Writes to standard output, and waits for who reads it; `process.stdout` would lose the rest when the process ends. */
function writeOut(text: string): void {
  let rest = Buffer.from(text)
  while (rest.length > 0)
    try {
      rest = rest.subarray(writeSync(STDOUT, rest))
    } catch (error) {
      // That nobody reads it any more, or that the disk is full, is no reason to stop.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return
      Atomics.wait(NEVER, 0, 0, 1)
    }
}

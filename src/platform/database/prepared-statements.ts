import type { Duplex } from 'node:stream'
import pg from 'pg'

const MAX_STATEMENTS = 500
const USES_BEFORE_PREPARING = 3

const names = new Map<string, string>()
const uses = new Map<string, number>()

/** The name to prepare a statement under, once it has shown that it comes back. */
function statementName(text: string): string | undefined {
  const known = names.get(text)
  if (known || names.size >= MAX_STATEMENTS) return known
  const count = (uses.get(text) ?? 0) + 1
  if (count < USES_BEFORE_PREPARING) {
    if (uses.size > 10 * MAX_STATEMENTS) uses.clear()
    uses.set(text, count)
    return undefined
  }
  uses.delete(text)
  const name = `statement_${names.size + 1}`
  names.set(text, name)
  return name
}

/** A client that prepares the statements it runs often, so that PostgreSQL parses each once a connection. */
export class PreparingClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config)
    containParserErrors((this as unknown as { connection: ParsingConnection }).connection)
  }

  // biome-ignore lint/suspicious/noExplicitAny: pg's own overloads, of which Kysely calls (text, values)
  override query(...args: any[]): any {
    const [text, values] = args
    const query = super.query as (...args: unknown[]) => unknown
    if (typeof text !== 'string' || !Array.isArray(values)) return query.apply(this, args)
    return query.call(this, { text, values, name: statementName(text) })
  }
}

interface ParsingConnection {
  attachListeners(stream: Duplex): void
}

/**
 * pg parses what arrives in a listener of the socket, where an error would end the process: a value of more than 512 MB
 * is one (ERR_STRING_TOO_LONG). It closes the connection instead, and the query that runs on it fails.
 */
function containParserErrors(connection: ParsingConnection): void {
  const attach = connection.attachListeners
  connection.attachListeners = (stream) => {
    attach.call(connection, stream)
    for (const listener of stream.listeners('data') as ((chunk: Buffer) => void)[]) {
      stream.off('data', listener)
      stream.on('data', (chunk) => {
        try {
          listener(chunk)
        } catch (error) {
          stream.destroy(error as Error)
        }
      })
    }
  }
}

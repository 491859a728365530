import type { Duplex } from 'node:stream'
import pg from 'pg'

const MAX_STATEMENTS = 500
const USES_BEFORE_PREPARING = 3

const names = new Map<string, string>()
const uses = new Map<string, number>()

/** The name for a prepared statement, or `undefined` until the statement has run several times. */
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

/**
 * A client that prepares frequent statements, so that PostgreSQL parses each of them once per connection. Behind a pooler
 * it prepares none, because the next transaction may use another connection to the server.
 */
export class PreparingClient extends pg.Client {
  /** Set behind a pooler: the `set local` statements that begin each transaction. */
  localSettings: string | undefined

  constructor(config?: pg.ClientConfig) {
    super(config)
    containParserErrors((this as unknown as { connection: ParsingConnection }).connection)
  }

  // biome-ignore lint/suspicious/noExplicitAny: pg's own overloads, of which Kysely calls (text, values)
  override query(...args: any[]): any {
    const [text, values] = args
    if (typeof text !== 'string' || !Array.isArray(values)) return this.#send(...args)
    return this.localSettings
      ? this.#queryPooled(text, values, this.localSettings)
      : this.#send({ text, values, name: statementName(text) })
  }

  #send(...args: unknown[]): Promise<pg.QueryResult> {
    return (super.query as (...args: unknown[]) => Promise<pg.QueryResult>).apply(this, args)
  }

  /** Statements outside of a transaction get one of their own, so that they have the settings. */
  async #queryPooled(
    text: string,
    values: unknown[],
    settings: string,
  ): Promise<Pick<pg.QueryResult, 'rows'>> {
    if (BEGIN.test(text)) {
      await this.#send(`${text}; ${settings}`)
      return { rows: [] }
    }
    if (this.getTransactionStatus() === 'T') return this.#send({ text, values })
    // It would change a connection that others use next.
    if (SESSION_SETTING.test(text)) return { rows: [] }
    if (NEEDS_NO_TRANSACTION.test(text)) return this.#send({ text, values })
    await this.#send(`begin; ${settings}`)
    try {
      const result = await this.#send({ text, values })
      await this.#send('commit')
      return result
    } catch (error) {
      await this.#send('rollback').catch(() => {})
      throw error
    }
  }
}

const BEGIN = /^(?:begin|start transaction)\b/
/** These end a transaction, or cannot run in one. */
const NEEDS_NO_TRANSACTION = /^(?:commit|rollback|(?:create|drop) index concurrently|vacuum)\b/
const SESSION_SETTING = /^(?:set|reset)\s/

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

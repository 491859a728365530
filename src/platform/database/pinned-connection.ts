import { AsyncLocalStorage } from 'node:async_hooks'
import type {
  DatabaseConnection,
  Dialect,
  DialectAdapter,
  Driver,
  QueryCompiler,
  TransactionSettings,
} from 'kysely'
import { CompiledQuery } from 'kysely'
import type { ConnectionScheduler, Urgency } from './connection-scheduler.ts'
import type { Db } from './database.ts'

/** The connection of the transaction around an async context, and the number of savepoints set there. */
interface Pin {
  /** undefined: the transaction has ended, and what it left running uses other connections. */
  connection: DatabaseConnection | undefined
  savepoints: number
}

const pins = new AsyncLocalStorage<Pin>()

/**
 * Runs work in a transaction. Every statement that the work sends, on whatever handle, is part of it, and the work's own
 * transactions become savepoints.
 */
export const inPinnedTransaction = <T>(db: Db, work: (transaction: Db) => Promise<T>): Promise<T> =>
  db.transaction().execute((transaction) =>
    transaction.getExecutor().provideConnection(async (connection) => {
      const pin: Pin = { connection, savepoints: 0 }
      try {
        return await pins.run(pin, () => work(transaction))
      } finally {
        pin.connection = undefined
      }
    }),
  )

const SINGLE = Symbol('single connection')

/** Whether all statements share one connection, as in the embedded database. */
export const hasSingleConnection = (db: Db): boolean =>
  (db.getExecutor().adapter as DialectAdapter & { [SINGLE]?: boolean })[SINGLE] === true

/** The scheduler of a single connection, and how urgent the statements of a handle are. */
interface Sharing {
  scheduler: ConnectionScheduler
  urgency: Urgency
}

/** The dialect, with `inPinnedTransaction`. `sharing`: statements and transactions take turns on its single connection. */
export function pinnable(dialect: Dialect, sharing?: Sharing): Dialect {
  const adapter = dialect.createAdapter()
  return {
    createDriver: () => new PinningDriver(dialect.createDriver(), sharing),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    // Kysely would make the pinned work wait for its own transaction; the driver takes turns instead.
    createAdapter: () =>
      Object.create(adapter, {
        supportsMultipleConnections: { value: true },
        [SINGLE]: { value: sharing !== undefined },
      }) as DialectAdapter,
    createIntrospector: (db) => dialect.createIntrospector(db),
  }
}

const pinOf = (connection: DatabaseConnection): Pin | undefined => {
  const pin = pins.getStore()
  return pin?.connection === connection ? pin : undefined
}

const run = async (connection: DatabaseConnection, statement: string): Promise<void> =>
  void (await connection.executeQuery(CompiledQuery.raw(statement)))

/** The statements and transactions that use a connection now. The last one to end returns it. */
interface Use {
  count: number
  endTurn: (() => void) | undefined
}

const uses = new WeakMap<DatabaseConnection, Use>()

class PinningDriver implements Driver {
  readonly #driver: Driver
  readonly #sharing: Sharing | undefined

  constructor(driver: Driver, sharing: Sharing | undefined) {
    this.#driver = driver
    this.#sharing = sharing
  }

  init(): Promise<void> {
    return this.#driver.init()
  }

  async acquireConnection(...options: Parameters<Driver['acquireConnection']>): Promise<DatabaseConnection> {
    const pinned = pins.getStore()?.connection
    const use = pinned && uses.get(pinned)
    if (use) {
      use.count += 1
      return pinned
    }
    const endTurn = await this.#sharing?.scheduler.take(this.#sharing.urgency)
    try {
      const connection = await this.#driver.acquireConnection(...options)
      uses.set(connection, { count: 1, endTurn })
      return connection
    } catch (error) {
      endTurn?.()
      throw error
    }
  }

  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const pin = pinOf(connection)
    if (!pin) return this.#driver.beginTransaction(connection, settings)
    pin.savepoints += 1
    await run(connection, `savepoint pinned_${pin.savepoints}`)
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const pin = pinOf(connection)
    if (!pin) return this.#driver.commitTransaction(connection)
    await run(connection, `release savepoint pinned_${pin.savepoints}`)
    pin.savepoints -= 1
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    const pin = pinOf(connection)
    if (!pin) return this.#driver.rollbackTransaction(connection)
    await run(connection, `rollback to savepoint pinned_${pin.savepoints}`)
    pin.savepoints -= 1
  }

  async savepoint(connection: DatabaseConnection, name: string, compile: QueryCompiler['compileQuery']) {
    await this.#driver.savepoint?.(connection, name, compile)
  }

  async rollbackToSavepoint(
    connection: DatabaseConnection,
    name: string,
    compile: QueryCompiler['compileQuery'],
  ) {
    await this.#driver.rollbackToSavepoint?.(connection, name, compile)
  }

  async releaseSavepoint(
    connection: DatabaseConnection,
    name: string,
    compile: QueryCompiler['compileQuery'],
  ) {
    await this.#driver.releaseSavepoint?.(connection, name, compile)
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    const use = uses.get(connection)
    if (use) use.count -= 1
    if (use && use.count > 0) return
    uses.delete(connection)
    await this.#driver.releaseConnection(connection)
    use?.endTurn?.()
  }

  destroy(): Promise<void> {
    return this.#driver.destroy()
  }
}

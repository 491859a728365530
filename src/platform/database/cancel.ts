import type { CompiledQuery, ControlConnectionProvider, QueryExecutor, QueryResult } from 'kysely'
import type { Db } from './database.ts'

/**
 * The database for work that nobody waits for once `signal` is aborted: statements that run as `sql` are canceled then,
 * and fail. The embedded database cannot cancel statements.
 */
export function cancelable(db: Db, signal: AbortSignal): Db {
  const executor = db.getExecutor()
  const provide: ControlConnectionProvider = (consumer) => executor.provideConnection(consumer)
  // Kysely's own "cancel query" writes a line to standard error for each statement that it cancels.
  const executeQuery = <R>(query: CompiledQuery): Promise<QueryResult<R>> =>
    executor.provideConnection(async (connection) => {
      await connection.collectSessionInfo?.()
      signal.throwIfAborted()
      let canceling: Promise<void> | undefined
      const cancel = () => {
        canceling = connection.cancelQuery?.(provide).catch(() => {})
      }
      signal.addEventListener('abort', cancel)
      try {
        return await connection.executeQuery<R>(query)
      } catch (error) {
        signal.throwIfAborted()
        throw error
      } finally {
        signal.removeEventListener('abort', cancel)
        // A cancel that arrives late must not hit the next statement on this connection.
        await canceling
      }
    })
  const canceling = withMethods(executor, { executeQuery } as Partial<QueryExecutor>)
  return withMethods(db, { getExecutor: () => canceling })
}

/** The object with some methods replaced; its private fields stay its own. */
const withMethods = <T extends object>(object: T, methods: Partial<T>): T =>
  new Proxy(object, {
    get(target, name) {
      if (Object.hasOwn(methods, name)) return methods[name as keyof T]
      const value = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })

import type { Database } from '#src/platform/database/database.ts'
import { type TestApp, testApp } from './app.ts'
import { freshDatabase } from './database.ts'
import { PRODUCTION } from './settings.ts'

/** Two services that share a database and the session secret, as two processes do, but no memory. */
export async function twoServices(settings: Record<string, string> = {}): Promise<{
  one: TestApp
  other: TestApp
  close(): Promise<void>
}> {
  const database = await freshDatabase()
  const shared: Database = { ...database, close: async () => {} }
  const same = { SESSION_SECRET: PRODUCTION.SESSION_SECRET, ENFORCE_ROLES: 'true', ...settings }
  const one = await testApp(same, { database: shared })
  const other = await testApp(same, { database: shared })
  return {
    one,
    other,
    close: async () => {
      await one.close()
      await other.close()
      await database.close()
    },
  }
}

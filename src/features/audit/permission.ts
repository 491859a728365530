import { sql } from 'kysely'
import type { Config } from '#src/platform/config/config.ts'
import type { Db } from '#src/platform/database/database.ts'
import { Forbidden } from '#src/platform/errors.ts'
import type { User } from '#src/platform/identity/identity.ts'

/**
 * In development, where anyone may claim any address, everyone may read the audit log.
 * @throws Forbidden in production, unless the user is an admin
 */
export async function requireAdmin(
  db: Db,
  { production }: Pick<Config, 'production'>,
  user: User | null,
): Promise<void> {
  if (!production) return
  const { rows } = await sql<{ role: string }>`select role from users where email = ${user?.email}`.execute(
    db,
  )
  const role = rows[0]?.role ?? 'member'
  if (role !== 'admin') throw new Forbidden(`Only admins may read the audit log. Your role is ${role}.`)
}

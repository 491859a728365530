import { sql } from 'kysely'
import { createUser } from '#src/features/users/create.ts'
import type { Role } from '#src/platform/http/security/permissions.ts'
import { newId } from '#src/platform/ids.ts'
import type { TestApp } from './app.ts'

export type Headers = Record<string, string>

/** Creates a user with this role, without an audit entry. */
export async function userWithRole({ context: { access, db } }: TestApp, email: string, role: Role) {
  await createUser(db, email)
  await sql`
    update users set role = ${role}, access_changed_at = clock_timestamp() where email = ${email}`.execute(db)
  await access.refresh()
  return email
}

/** The cookie of a new session. */
export async function sessionCookieOf({ context: { sessions } }: TestApp, email: string): Promise<Headers> {
  const token = await sessions.sign({ sub: email, email, jti: newId('ses') })
  return { cookie: `service_session=${token}` }
}

export const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` })

/** Creates an API key with these credentials. */
export async function keyOf(
  api: TestApp,
  headers: Headers,
  body: object,
): Promise<{ id: string; key: string; headers: Headers }> {
  const created = await api.call('POST', '/api/keys', { name: 'Test', ...body }, { headers })
  if (created.status !== 201) throw new Error(JSON.stringify(created.body))
  const { id, key } = created.body.data
  return { id, key, headers: bearer(key) }
}
